import type { Socket } from 'node:net';
import { PROBLEM_TYPE, problem, problemBody } from './problem.ts';

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** How long a refused client may still send; then the connection is cut. */
const LINGER_MS = 1_000;

/** Answers a request that could not even be parsed, and ends the connection so that the answer arrives. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = problem(STATUS_BY_CODE[error.code ?? ''] ?? 400);
  const body = problemBody(refusal);
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${refusal.title}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // Closing with bytes unread resets the connection, and the client would never see the answer.
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}
