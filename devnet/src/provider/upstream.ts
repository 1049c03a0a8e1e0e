import http from 'node:http';
import type { Answer, Call } from './call.ts';

/** The JSON-RPC URL behind the provider. */
export interface Upstream {
  ask(call: Call): Promise<Answer>;
  head(): Promise<number>;
  /** Returns the number of a block by its hash or tag, null if there is none. */
  findNumber(block: { hash: string } | { tag: string }): Promise<number | null>;
  /** Returns the times of blocks by hash, as the target writes them. */
  times(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  close(): void;
}

const MAX_SOCKETS = 8;
/** Blocks whose times are remembered. */
const MAX_TIMES = 10_000;

export function createUpstream(target: string): Upstream {
  const agent = new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const known = new Map<string, string>();

  function ask(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const out = http.request(target, { agent, method: 'POST', headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString()));
          } catch (error) {
            reject(error);
          }
        });
      });
      out.on('error', reject);
      out.end(JSON.stringify({ jsonrpc: '2.0', ...call }));
    });
  }

  async function read<T>(method: string, params: readonly unknown[]): Promise<T> {
    const { result } = await ask({ id: 1, method, params });
    return result as T;
  }

  async function findTime(hash: string): Promise<string | null> {
    const cached = known.get(hash);
    if (cached !== undefined) return cached;
    const block = await read<{ timestamp: string } | null>('eth_getBlockByHash', [hash, false]);
    if (!block) return null;
    if (known.size >= MAX_TIMES) known.clear();
    known.set(hash, block.timestamp);
    return block.timestamp;
  }

  return {
    ask,
    head: async () => Number(await read<string>('eth_blockNumber', [])),
    async findNumber(block) {
      const found = await ('hash' in block
        ? read<{ number: string } | null>('eth_getBlockByHash', [block.hash, false])
        : read<{ number: string } | null>('eth_getBlockByNumber', [block.tag, false]));
      return found ? Number(found.number) : null;
    },
    async times(hashes) {
      const unique = [...new Set(hashes)];
      const times = await Promise.all(unique.map(findTime));
      return new Map(
        unique.flatMap((hash, index) => {
          const time = times[index];
          return time ? [[hash, time] as const] : [];
        }),
      );
    },
    close: () => agent.destroy(),
  };
}
