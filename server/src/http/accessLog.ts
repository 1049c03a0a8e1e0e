import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from './exchange.ts';

/** One line of the access log, without the query: clients may put secrets there. */
export interface AccessLine {
  readonly method: string;
  readonly route: string | null;
  readonly path: string;
  /** Null if the client closed the connection before the response was sent. */
  readonly status: number | null;
  /** Headers included. */
  readonly bytes: number;
  readonly milliseconds: number;
  readonly requestId: string;
  readonly client: string;
}

export interface AccessLog {
  /** Call it when the request arrives: later its socket may be closed and its address unknown. */
  begin(
    request: IncomingMessage,
    response: ServerResponse,
  ): (exchange: Exchange, ms: number) => void;
}

const MAX_PATH_LENGTH = 256;

export function createAccessLog(
  write: (line: AccessLine) => void,
  clientOf: (request: IncomingMessage) => string,
): AccessLog {
  /** Bytes that a connection had sent after its last response: responses are sent in the order of their requests. */
  const sentBefore = new WeakMap<Socket, number>();

  function takeBytes(socket: Socket): number {
    const before = sentBefore.get(socket) ?? 0;
    sentBefore.set(socket, socket.bytesWritten);
    return socket.bytesWritten - before;
  }

  return {
    begin(request, response) {
      const client = clientOf(request);
      const { socket } = request;
      let bytes: number | undefined;
      // Before Node's own listener, which sends the next response of a pipeline.
      response.prependOnceListener('finish', () => {
        bytes = takeBytes(socket);
      });
      return ({ id, route }, ms) =>
        write({
          method: request.method ?? '',
          route: route ?? null,
          path: (request.url ?? '').split('?', 1)[0]!.slice(0, MAX_PATH_LENGTH),
          status: response.writableFinished ? response.statusCode : null,
          bytes: bytes ?? takeBytes(socket),
          milliseconds: Math.round(ms * 1000) / 1000,
          requestId: id,
          client,
        });
    },
  };
}
