import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Why a connection was closed: too many in total, too many of one client, a client that read nothing of its response
 * for too long, or one that sent too many requests before it had the response to the first.
 */
const REASONS = ['full', 'client', 'stalled', 'pipelined'] as const;
type Reason = (typeof REASONS)[number];

export interface ConnectionCounts {
  add(reason: Reason): void;
  read(): { readonly reason: Reason; readonly value: number }[];
}

export function createConnectionCounts(): ConnectionCounts {
  const counts = { full: 0, client: 0, stalled: 0, pipelined: 0 };
  return {
    add: (reason) => void counts[reason]++,
    read: () => REASONS.map((reason) => ({ reason, value: counts[reason] })),
  };
}

export interface ConnectionLimits {
  /** The client of a connection; undefined: not counted. */
  readonly clientOf?: (socket: Socket) => string | undefined;
  /** Maximum per client. */
  readonly perClient?: number;
  /** How long unsent bytes may make no progress. */
  readonly stalledMs?: number;
  readonly counts?: ConnectionCounts;
}

/** Maximum number of open connections; above it, idle ones are closed. */
const MAX_CONNECTIONS = 20_000;
const STALLED_MS = 30_000;
/** Counted in checks instead of time: a pause of the process must not time out clients. */
const LOOKS = 6;

/** The progress of a socket at the last check. */
interface Mark {
  readonly done: number;
  readonly queued: number;
  looks: number;
}

/** The open connections of each server. */
const connections = new WeakMap<Server, ReadonlySet<Socket>>();

/** Returns whether the system has not accepted all of a response yet. */
export function isSending(server: Server): boolean {
  return [...(connections.get(server) ?? [])].some((socket) => socket.writableLength > 0);
}

/** Closes the connections of a closing server that never sent anything: it would wait for their first request. */
export function endUnusedConnections(server: Server): void {
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

/** Enforces the connection limits of a server. Returns a function that checks all connections once. */
export function limitConnections(
  server: Server,
  {
    clientOf = () => undefined,
    perClient = Number.POSITIVE_INFINITY,
    stalledMs = STALLED_MS,
    counts = createConnectionCounts(),
  }: ConnectionLimits = {},
): () => void {
  const open = new Set<Socket>();
  connections.set(server, open);
  const byClient = new Map<string, number>();
  const marks = new Map<Socket, Mark>();
  server.maxConnections = MAX_CONNECTIONS;
  server.on('drop', () => {
    counts.add('full');
    // A closed client reconnects by itself and finds room on its next attempt.
    server.closeIdleConnections();
  });
  server.on('connection', admit);
  // One timer for all: one per connection would cost more than the responses.
  const timer = setInterval(look, stalledMs / LOOKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
  return look;

  function admit(socket: Socket): void {
    const client = clientOf(socket);
    if (client !== undefined) {
      const now = byClient.get(client) ?? 0;
      if (now >= perClient) {
        counts.add('client');
        socket.destroy();
        return;
      }
      byClient.set(client, now + 1);
    }
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      marks.delete(socket);
      if (client !== undefined) leave(client);
    });
  }

  function leave(client: string): void {
    const left = byClient.get(client)! - 1;
    if (left === 0) byClient.delete(client);
    else byClient.set(client, left);
  }

  function look(): void {
    for (const socket of open) {
      // Nothing to send: the connection is idle, or its response is still being created.
      if (socket.writableLength === 0) marks.delete(socket);
      else if (isStalled(socket)) {
        counts.add('stalled');
        // A plain end would leave unsent bytes with the system, which retries them for minutes.
        socket.resetAndDestroy();
      }
    }
  }

  function isStalled(socket: Socket): boolean {
    const before = marks.get(socket);
    const done = socket.bytesWritten - socket.writableLength;
    const queued = queuedBytes(socket);
    if (before?.done === done && before.queued === queued) return ++before.looks > LOOKS;
    marks.set(socket, { done, queued, looks: 1 });
    return false;
  }
}

/**
 * The unsent bytes of the current write. A response is one write, which is reported only when it is complete: without
 * this, a slow reader of a large response would look stalled. Node's own timeouts use it too.
 */
function queuedBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } };
  return handle?.writeQueueSize ?? 0;
}
