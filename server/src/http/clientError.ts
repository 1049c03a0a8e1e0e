import type { Socket } from 'node:net';
import { OPEN_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { type Problem, problem } from './problem.ts';
import { problemMessage } from './problemMessage.ts';

const NOT_HTTP = problem(400, 'this is not a request of HTTP/1.1');
const REFUSALS: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: problem(431, 'the URL and headers are too long together; send shorter ones'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: problem(413, 'the extensions of a chunk are too long'),
  ERR_HTTP_REQUEST_TIMEOUT: problem(408, 'the request took too long to arrive; send it again'),
};

/** How long a refused client may still send; then the connection is cut. */
const LINGER_MS = 1_000;

/** Answers a request that could not even be parsed, and ends the connection so that the answer arrives. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = REFUSALS[error.code ?? ''] ?? NOT_HTTP;
  const { headers, body } = problemMessage(refusal);
  const lines = Object.entries({ ...headers, ...SECURITY_HEADERS, ...OPEN_HEADERS });
  socket.write(`HTTP/1.1 ${refusal.status} ${refusal.title}\r\n`);
  for (const [name, value] of lines) socket.write(`${name}: ${value}\r\n`);
  socket.write('connection: close\r\n\r\n');
  socket.end(body);
  // Closing with bytes unread resets the connection, and the client would never see the answer.
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}
