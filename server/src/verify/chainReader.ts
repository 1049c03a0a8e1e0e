import { findBlocksAt } from '../chain/blockSearch.ts';
import type { ChainClient, Header, LogFilter, RawLog } from '../chain/chainClient.ts';
import { afterLogs, afterTimeout, afterTooWide, startLogRange } from '../chain/logRange.ts';
import { RangeTooWide, RpcError, RpcRefused, RpcUnreachable } from '../chain/rpcError.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import type { ChainConfig } from '../config/config.ts';
import type { Address, Hex } from '../domain/hex.ts';
import { pause } from '../runtime/pause.ts';
import { type Ask, type CallContract, createAsk } from './ask.ts';
import { batchCalls } from './batchCalls.ts';

/** Reads one chain, with retries. Throws an RpcError if it cannot be read. */
export interface ChainReader {
  head(): Promise<Header>;
  /** The last block at or before a time, not before `from`; undefined if `from` itself is later. */
  blockAt(instant: number, from: number): Promise<number | undefined>;
  /** Concurrent calls are sent in few requests. */
  askAt(block: number): Ask;
  callAt(block: number): CallContract;
  timeAt(block: number): Promise<number>;
  codeAt(address: Address, block: number): Promise<Hex>;
  storageAt(address: Address, slot: Hex, block: number): Promise<Hex>;
  /** In order; `take` receives each chunk, and none is kept in memory. */
  logs(asked: LogsAsked, take: (logs: readonly RawLog[]) => void): Promise<void>;
  close(): void;
}

export interface LogsAsked {
  readonly filter: LogFilter;
  readonly fromBlock: number;
  readonly toBlock: number;
}

const TRIES = 3;
const LONGEST_WAIT_MS = 10_000;

export function createChainReader(chain: ChainConfig): ChainReader {
  const upstreams = createUpstreams({ chain });
  let current: ChainClient | undefined;
  let range = startLogRange(chain.logRange);

  return {
    head: () => read(async (client) => (await client.header('latest'))!),
    blockAt: (instant, from) => read((client) => blockAt(client, instant, from)),
    askAt: (block) => createAsk(callAt(block)),
    callAt,
    timeAt: (block) => read(async (client) => (await client.header(block))!.time),
    codeAt: (address, block) => read((client) => client.code(address, block)),
    storageAt: (address, slot, block) => read((client) => client.storageAt(address, slot, block)),
    async logs({ filter, fromBlock, toBlock }, take) {
      for (let from = fromBlock; from <= toBlock; ) {
        const to = Math.min(toBlock, from + range.width - 1);
        const logs = await readLogs(filter, from, to);
        if (logs === 'narrower') continue;
        take(logs);
        from = to + 1;
      }
    },
    close: () => upstreams.close(),
  };

  function callAt(block: number): CallContract {
    return batchCalls((calls) => read((client) => client.multicall(calls, block)));
  }

  /** Reads from one of the chain's RPC endpoints; one that fails is paused, and another is used. */
  async function read<T>(work: (client: ChainClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const client = current;
      try {
        if (client === undefined) {
          current = (await upstreams.pick()).client;
          tries--;
          continue;
        }
        return await work(client);
      } catch (error) {
        if (!(error instanceof RpcError) || isAnswer(error) || tries >= TRIES) throw error;
        if (client !== undefined) upstreams.failed(client, error);
        current = undefined;
        await pause(Math.min(LONGEST_WAIT_MS, Math.max(0, upstreams.retryAt() - Date.now())));
      }
    }
  }

  async function readLogs(filter: LogFilter, fromBlock: number, toBlock: number) {
    const asked = { fromBlock, toBlock };
    try {
      const logs = await read((client) => client.logs({ ...asked, filter }));
      range = afterLogs(range, asked, logs.length);
      return logs;
    } catch (error) {
      if (error instanceof RangeTooWide) range = afterTooWide(range, asked, error);
      else if (isTimeout(error) && toBlock > fromBlock) range = afterTimeout(range, asked);
      else throw error;
      return 'narrower';
    }
  }
}

async function blockAt(
  client: ChainClient,
  instant: number,
  from: number,
): Promise<number | undefined> {
  const [lo, hi] = await Promise.all([client.header(from), client.header('latest')]);
  if (lo === null || hi === null || lo.time > instant) return undefined;
  const [found] = await findBlocksAt(client, [instant], { lo, hi });
  return found!.number;
}

/** The endpoint works and its response is final, so a retry changes nothing. */
function isAnswer(error: RpcError): boolean {
  return error instanceof RangeTooWide || (error instanceof RpcRefused && error.reverted);
}

function isTimeout(error: unknown): boolean {
  return error instanceof RpcUnreachable && error.isTimeout;
}
