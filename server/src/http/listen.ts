import { once } from 'node:events';
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { pause } from '../runtime/pause.ts';
import { endUnusedConnections, isSending } from './connections.ts';

export interface ListenTarget {
  readonly host: string;
  readonly port: number;
  /** The setting that changes the port, for the message. */
  readonly setting: string;
}

/** The server cannot listen on its port. */
export class ListenFailed extends Error {
  override readonly name = 'ListenFailed';
  readonly host: string;
  readonly port: number;
  /** The system's error code, such as EADDRINUSE. */
  readonly code: string;

  constructor({ host, port, setting }: ListenTarget, code: string) {
    super(`${reason(host, port, code)}; ${advice(setting, code)}`);
    this.host = host;
    this.port = port;
    this.code = code;
  }
}

function reason(host: string, port: number, code: string): string {
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use`;
  if (code === 'EACCES') return `port ${port} on ${host} is not allowed for this user`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine`;
  return `cannot listen on port ${port} of ${host} (${code})`;
}

function advice(setting: string, code: string): string {
  if (code === 'EADDRINUSE')
    return `stop the program that uses it, or choose another port with ${setting}`;
  if (code === 'EACCES') return `choose a port of 1024 or above with ${setting}`;
  return 'correct the host';
}

/**
 * Starts listening; returns the port, which differs from the requested one if that was 0. `early` is a server that
 * already listens there: the app takes over its port without closing it.
 */
export async function listen(
  app: FastifyInstance,
  target: ListenTarget,
  early?: { readonly server: Server },
): Promise<number> {
  if (early === undefined) {
    await app.listen({ host: target.host, port: target.port }).catch(fail(target));
  } else {
    await app.ready();
    await listenOn(app.server, early.server, target);
  }
  return portOf(app.server, target);
}

/** `where`: the address to listen on, or a server whose port to take over. */
export async function listenOn(
  server: Server,
  where: { readonly host: string; readonly port: number } | Server,
  target: ListenTarget,
): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(where);
  await listening.catch(fail(target));
}

export function portOf(server: Server, target: ListenTarget): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : target.port;
}

function fail(target: ListenTarget) {
  return (error: NodeJS.ErrnoException): never => {
    throw new ListenFailed(target, error.code ?? 'unknown');
  };
}

/** Waits for the first byte of connections that were opened just before the port closed. */
const UNUSED_MS = 1_000;
/** A response in progress may leave its connection open. */
const IDLE_MS = 50;

/** From now on, each response is the last on its connection. */
function endKeepAlive({ server }: FastifyInstance): void {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
}

/**
 * Continues to serve while readiness is 503. Load balancers notice in the first half; in the second, clients with
 * open connections are sent to other servers.
 */
export async function drain(app: FastifyInstance, seconds: number): Promise<void> {
  await pause(seconds * 500);
  endKeepAlive(app);
  await pause(seconds * 500);
}

/** Waits for requests in progress, at most `graceMs`. */
export async function closeServer(app: FastifyInstance, graceMs: number): Promise<void> {
  const { server } = app;
  endKeepAlive(app);
  const closeIdle = server.closeIdleConnections.bind(server);
  // Node treats a connection as idle once its response is created, and would cut off unsent bytes.
  server.closeIdleConnections = () => {
    if (!isSending(server)) closeIdle();
  };
  const timers = [
    setInterval(() => server.closeIdleConnections(), IDLE_MS),
    setTimeout(() => endUnusedConnections(server), Math.min(UNUSED_MS, graceMs)),
    setTimeout(() => server.closeAllConnections(), graceMs),
  ];
  try {
    await app.close();
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
