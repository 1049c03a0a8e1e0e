import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listenOnLoopback, stopServer } from '../../server/test/loopbackServer.ts';

/** A server that responds as the test says. */
export interface LocalServer {
  readonly url: string;
  /** All requests, in order. */
  readonly requests: readonly IncomingMessage[];
  close(): Promise<void>;
}

export type Answering = (
  request: IncomingMessage,
  response: ServerResponse,
  /** Number of earlier requests. */
  turn: number,
) => void | Promise<void>;

export async function startLocalServer(answer: Answering): Promise<LocalServer> {
  const requests: IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    const turn = requests.push(request) - 1;
    Promise.resolve(answer(request, response, turn)).catch((error: Error) => {
      response.destroy(error);
    });
  });
  const port = await listenOnLoopback(server, 0);
  return { url: `http://127.0.0.1:${port}`, requests, close: () => stopServer(server) };
}

/** Sends a short body with Content-Length that decompresses to 64 MB of JSON. */
export function sendBomb(response: ServerResponse): void {
  bomb ??= gzipSync(`["${'0'.repeat(64_000_000)}"]`);
  response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length });
  response.end(bomb);
}

let bomb: Buffer | undefined;

export function sendJson(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
