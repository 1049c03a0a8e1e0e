import { createServer, type Server } from 'node:http';
import { SECURITY_HEADERS } from './headers.ts';
import { type ListenTarget, listenOn, portOf } from './listen.ts';
import { problem } from './problem.ts';
import { problemMessage } from './problemMessage.ts';

/** Responds on a port while the process starts, until the real server takes over the port. */
export interface StartingServer {
  readonly server: Server;
  readonly port: number;
  close(): Promise<void>;
}

const RETRY_SECONDS = 5;
const MAX_CONNECTIONS = 1_000;
const LIVE = Buffer.from('{"status":"live"}');

/** `doing` is the current step of the startup, which is shown to every client. */
export async function openStartingServer(
  target: ListenTarget,
  doing: () => string,
): Promise<StartingServer> {
  const server = createServer({ requestTimeout: 10_000 }, ({ url = '', method }, response) => {
    // This server is about to be replaced, so it keeps no connection open.
    response.shouldKeepAlive = false;
    const isLive = /^\/health\/live(\?|$)/.test(url);
    const { status, headers, body } = isLive ? live() : problemMessage(starting(doing()));
    response.writeHead(status, { ...SECURITY_HEADERS, ...headers });
    response.end(method === 'HEAD' ? undefined : body);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listenOn(server, { host: target.host, port: target.port }, target);
  return {
    server,
    port: portOf(server, target),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function live() {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(LIVE.length),
    'cache-control': 'no-store',
  };
  return { status: 200, headers, body: LIVE };
}

function starting(doing: string) {
  const detail = `not ready: the server is starting (${doing}); try again soon`;
  return { ...problem(503, detail), retryAfterSeconds: RETRY_SECONDS };
}
