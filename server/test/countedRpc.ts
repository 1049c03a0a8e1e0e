import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DevChain } from '../../devnet/src/index.ts';

/** RPC endpoints of chains, each with its own URL, that count their calls. */
export interface CountedRpc {
  readonly urls: Readonly<Record<number, readonly string[]>>;
  /** Resolves when `count` more requests have arrived, on any chain. */
  after(count: number): Promise<void>;
  /** Returns the number of calls to a chain so far, by method and purpose; each call of a batch counts. */
  calls(chainId: number): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

export async function serveCounted(chains: readonly DevChain[]): Promise<CountedRpc> {
  let seen = 0;
  let waiting: { at: number; resolve: () => void } | undefined;
  const urls: Record<number, string[]> = {};
  const calls = Object.fromEntries(
    chains.map(({ chainId }) => [chainId, {} as Record<string, number>]),
  );
  const servers = await Promise.all(
    chains.map(async (chain) => {
      const server = http.createServer((request, response) => {
        seen++;
        if (waiting !== undefined && seen >= waiting.at) waiting.resolve();
        answer(chain, request, response, calls[chain.chainId]!).catch(() => response.destroy());
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      urls[chain.chainId] = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
      return server;
    }),
  );
  return {
    urls,
    calls: (chainId) => ({ ...calls[chainId] }),
    after: (count) =>
      new Promise((resolve) => {
        waiting = { at: seen + count, resolve };
      }),
    async close() {
      await Promise.all(
        servers.map((server) => {
          server.closeAllConnections();
          return new Promise((resolve) => server.close(resolve));
        }),
      );
    },
  };
}

async function answer(
  chain: DevChain,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  calls: Record<string, number>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  for (const call of [JSON.parse(text)].flat()) {
    const name = nameOf(call);
    calls[name] = (calls[name] ?? 0) + 1;
  }
  const body = await chain.handle(text);
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

function nameOf({ method, params }: { method: string; params?: readonly unknown[] }): string {
  if (method !== 'eth_getBlockByNumber') return method;
  const block = String(params?.[0]);
  return block.startsWith('0x') ? 'header' : block;
}
