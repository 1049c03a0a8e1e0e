import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionCounts } from './connections.ts';

/**
 * Maximum number of requests that wait on a connection for an earlier response. Each holds about 3 KB, and one read of
 * a connection can bring thousands. Browsers and proxies send the next request only after the response.
 */
const MAX_WAITING = 8;

/**
 * Handles the requests of a connection one after the other, even if the client sends them all at once. Node would
 * handle them concurrently, and closes only the first response when the connection closes.
 */
export function createTurns(
  counts?: Pick<ConnectionCounts, 'add'>,
): (request: IncomingMessage, response: ServerResponse, handle: () => void) => void {
  /** The response to the newest request of each connection. */
  const newest = new WeakMap<Socket, ServerResponse>();
  const waiting = new WeakMap<Socket, number>();

  return ({ socket }, response, handle) => {
    // The rest of the bytes that were read before the connection was closed.
    if (socket.destroyed) return;
    const before = newest.get(socket);
    newest.set(socket, response);
    if (before === undefined || isItsTurn(response)) return handle();
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) {
      counts?.add('pipelined');
      socket.resetAndDestroy();
      return;
    }
    waiting.set(socket, count);
    before.once('close', () => {
      waiting.set(socket, waiting.get(socket)! - 1);
      if (isItsTurn(response)) handle();
    });
  };
}

/** Node assigns the socket to the response that it sends next, unless the response before it was the last. */
function isItsTurn(response: ServerResponse): boolean {
  return response.socket !== null;
}
