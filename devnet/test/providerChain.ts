import type { Address, Hex } from 'viem';
import { createChain } from '../src/chain.ts';
import { toQuantity } from '../src/provider/call.ts';
import type { ProviderClock } from '../src/provider/clock.ts';

const SENDER: Address = '0x1000000000000000000000000000000000000001';
/** Emits the number of empty logs given as input. */
const LOGGER: Address = '0x2000000000000000000000000000000000000002';
const LOGGER_CODE: Hex = ('0x5f355b8015601257' + '5f5fa0600190036002565b00') as Hex;
const GENESIS = 1_700_000_000;
const OLD_BLOCKS = 120_000;

export interface ProviderChain {
  readonly url: string;
  readonly head: number;
  readonly holder: Address;
  /** Returns a block with this many logs, followed by a block with one. */
  dense(logs: 10_000 | 20_000): number;
  close(): Promise<void>;
}

/** Serves a chain with a long history without logs, and dense blocks near its head. */
export async function serveProviderChain(): Promise<ProviderChain> {
  const chain = await createChain({
    chainId: 8453,
    genesisTime: GENESIS,
    actors: [SENDER],
    balances: [{ address: SENDER, wei: 10n ** 24n }],
    code: [{ address: LOGGER, code: LOGGER_CODE }],
  });
  await chain.keepSnapshots(false);
  await chain.rpc('hardhat_mine', [toQuantity(OLD_BLOCKS), '0x1']);
  const blocks = new Map<number, number>();
  let number = OLD_BLOCKS;
  for (const logs of [10_000, 1, 20_000, 1, ...Array<number>(40).fill(1)]) {
    number += 1;
    if (!blocks.has(logs)) blocks.set(logs, number);
    const data = `0x${logs.toString(16).padStart(64, '0')}` as const;
    await chain.send({ from: SENDER, to: LOGGER, data, gas: 100_000 + logs * 500 });
    await chain.mine(GENESIS + OLD_BLOCKS * 2 + number);
  }
  const server = await chain.serve({ host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    head: number,
    holder: SENDER,
    dense: (logs) => blocks.get(logs)!,
    close: server.close,
  };
}

export interface TestClock extends ProviderClock {
  advance(seconds: number): void;
}

/** A clock that advances only when it is moved or slept on. */
export function createTestClock(start = Date.UTC(2026, 10, 17, 12) / 1000): TestClock {
  let time = start;
  return {
    now: () => time,
    sleep: async (seconds) => {
      time += seconds;
    },
    advance(seconds) {
      time += seconds;
    },
  };
}

export interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
  /** Null if the body is not JSON. */
  readonly body: unknown;
}

export async function post(url: string, body: unknown): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text,
    body: isJson ? JSON.parse(text) : null,
  };
}

export function rpc(method: string, params: readonly unknown[] = [], id: number | string = 1) {
  return { jsonrpc: '2.0', id, method, params };
}

export function logs(from: number, to: number, filter: object = {}) {
  const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
  return rpc('eth_getLogs', [{ ...range, ...filter }]);
}
