import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback, stopServer } from '../../server/test/loopbackServer.ts';

/** A server that answers as a test says. */
export interface LocalServer {
  readonly url: string;
  /** What was asked for, in order. */
  readonly requests: readonly IncomingMessage[];
  close(): Promise<void>;
}

export type Answering = (
  request: IncomingMessage,
  response: ServerResponse,
  /** How many came before. */
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

export function sendJson(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
