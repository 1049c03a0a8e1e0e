import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainClient, Header, RawLog } from '../chain/chainClient.ts';
import { afterLogs, afterTimeout, afterTooWide, startLogRange } from '../chain/logRange.ts';
import { RangeTooWide, RpcError, RpcRefused, RpcUnreachable } from '../chain/rpcError.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import type { ChainConfig } from '../config/config.ts';
import type { Address, Hex } from '../domain/hex.ts';
import { type Ask, createAsk } from './ask.ts';
import { type ChainEvent, decodeEvent, EVENT_TOPICS } from './events.ts';

/** One chain, read patiently. Throws an RpcError when it cannot be read. */
export interface Node {
  head(): Promise<Header>;
  askAt(block: number): Ask;
  /** The events of these contracts, in order. */
  events(addresses: readonly Address[], fromBlock: number, toBlock: number): Promise<ChainEvent[]>;
  close(): void;
}

const TRIES = 3;
const LONGEST_WAIT_MS = 10_000;

export function createNode(chain: ChainConfig): Node {
  const upstreams = createUpstreams({ chain });
  let current: ChainClient | undefined;
  let range = startLogRange(chain.logRange);

  return {
    head: () => read(async (client) => (await client.header('latest'))!),
    askAt: (block) => createAsk((to, data) => call(to, data, block)),
    async events(addresses, fromBlock, toBlock) {
      const found: ChainEvent[] = [];
      for (let from = fromBlock; from <= toBlock; ) {
        const to = Math.min(toBlock, from + range.width - 1);
        const logs = await readLogs(addresses, from, to);
        if (logs === 'narrower') continue;
        for (const event of await decodeAll(logs)) found.push(event);
        from = to + 1;
      }
      return found;
    },
    close: () => upstreams.close(),
  };

  /** What a node of the chain answers; one that fails rests, and another is asked. */
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
        await sleep(Math.min(LONGEST_WAIT_MS, Math.max(0, upstreams.retryAt() - Date.now())));
      }
    }
  }

  async function call(to: Address, data: Hex, block: number): Promise<Hex | null> {
    try {
      return await read((client) => client.call({ to, data }, block));
    } catch (error) {
      if (error instanceof RpcRefused && error.reverted) return null;
      throw error;
    }
  }

  async function readLogs(addresses: readonly Address[], fromBlock: number, toBlock: number) {
    const asked = { fromBlock, toBlock };
    try {
      const filter = { addresses, topics: [EVENT_TOPICS] };
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

  async function decodeAll(logs: readonly RawLog[]): Promise<ChainEvent[]> {
    const untimed = logs.filter(({ blockTime }) => blockTime === null);
    const blocks = [...new Set(untimed.map(({ blockNumber }) => blockNumber))];
    const headers = await read((client) => client.headers(blocks));
    const times = new Map(headers.map((header, i) => [blocks[i]!, header?.time ?? 0]));
    return logs.flatMap((log) => {
      const time = log.blockTime ?? times.get(log.blockNumber)!;
      return decodeEvent({ ...log, chainId: chain.chainId, time }) ?? [];
    });
  }
}

/** The node is well and has said what it thinks: asking again changes nothing. */
function isAnswer(error: RpcError): boolean {
  return error instanceof RangeTooWide || (error instanceof RpcRefused && error.reverted);
}

function isTimeout(error: unknown): boolean {
  return error instanceof RpcUnreachable && error.reason === 'timeout';
}
