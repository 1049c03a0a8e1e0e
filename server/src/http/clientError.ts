import type { Socket } from 'node:net';
import { OPEN_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { type Problem, problem } from './problem.ts';
import { problemMessage } from './problemMessage.ts';

const NOT_HTTP = toBytes(problem(400, 'this is not a request of HTTP/1.1'));
const REFUSALS: Readonly<Record<string, Buffer>> = {
  HPE_HEADER_OVERFLOW: toBytes(
    problem(431, 'the URL and headers are too long together; send shorter ones'),
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: toBytes(problem(413, 'the extensions of a chunk are too long')),
  ERR_HTTP_REQUEST_TIMEOUT: toBytes(
    problem(408, 'the request took too long to arrive; send it again'),
  ),
};

/** How long a refused client may still send; then the connection is cut. */
const LINGER_MS = 1_000;

/** Connections that were refused, and may still send for a moment. */
const lingering = new WeakSet<Socket>();

/** Answers a request that could not even be parsed, and ends the connection so that the answer arrives. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // The parser fails again on every chunk that was in flight.
  if (lingering.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  lingering.add(socket);
  socket.end(REFUSALS[error.code ?? ''] ?? NOT_HTTP);
  // Closing with bytes unread resets the connection, and the client would never see the answer.
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}

/** The whole answer, in one piece: whoever floods with such requests shall not cost a write for each header. */
function toBytes(refusal: Problem): Buffer {
  const { headers, body } = problemMessage(refusal);
  const lines = Object.entries({ ...headers, ...SECURITY_HEADERS, ...OPEN_HEADERS })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const head = `HTTP/1.1 ${refusal.status} ${refusal.title}\r\n${lines}connection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
