import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DevChain } from '../../devnet/src/index.ts';

/** Chains behind URLs of their own that tell how much they were asked. */
export interface CountedRpc {
  readonly urls: Readonly<Record<number, readonly string[]>>;
  /** Resolves when `count` more requests have come in, on any of the chains. */
  after(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function serveCounted(chains: readonly DevChain[]): Promise<CountedRpc> {
  let seen = 0;
  let waiting: { at: number; resolve: () => void } | undefined;
  const urls: Record<number, string[]> = {};
  const servers = await Promise.all(
    chains.map(async (chain) => {
      const server = http.createServer((request, response) => {
        seen++;
        if (waiting !== undefined && seen >= waiting.at) waiting.resolve();
        answer(chain, request, response).catch(() => response.destroy());
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      urls[chain.chainId] = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
      return server;
    }),
  );
  return {
    urls,
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
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = await chain.handle(Buffer.concat(chunks).toString());
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}
