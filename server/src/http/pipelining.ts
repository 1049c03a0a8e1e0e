import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionCounts } from './connections.ts';

/**
 * Maximum number of requests that wait on a connection for an earlier response. Each holds about 3 KB, and one read of
 * a connection can bring thousands. Browsers and proxies send the next request only after the response.
 */
const MAX_WAITING = 8;

/**
 * Limits the requests that clients send ahead of their responses. The returned function is called with the response to
 * each request; false: the connection is closed, and the request is not handled.
 */
export function limitPipelining(
  counts?: Pick<ConnectionCounts, 'add'>,
): (socket: Socket, response: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>();

  return (socket, response) => {
    // The rest of the bytes that were read before the connection was closed.
    if (socket.destroyed) return false;
    // Node assigns the socket to a response when it is its turn.
    if (response.socket !== null) return true;
    const now = waiting.get(socket) ?? 0;
    if (now >= MAX_WAITING) {
      counts?.add('pipelined');
      socket.resetAndDestroy();
      return false;
    }
    waiting.set(socket, now + 1);
    response.once('close', () => waiting.set(socket, waiting.get(socket)! - 1));
    return true;
  };
}
