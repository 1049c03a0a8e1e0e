import type { Socket } from 'node:net';
import { OPEN_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { type Problem, problem } from './problem.ts';
import { problemMessage } from './problemMessage.ts';

const NOT_HTTP = toBytes(problem(400, 'this is not a valid HTTP/1.1 request'));
const REFUSALS: Readonly<Record<string, Buffer>> = {
  HPE_HEADER_OVERFLOW: toBytes(
    problem(431, 'the URL and headers together are too long; send shorter ones'),
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: toBytes(problem(413, 'the extensions of a chunk are too long')),
  ERR_HTTP_REQUEST_TIMEOUT: toBytes(
    problem(408, 'the request took too long to arrive; send it again'),
  ),
};

/** How long a rejected client may still send; then the connection is cut. */
const LINGER_MS = 1_000;

/** Rejected connections that may still send for a moment. */
const lingering = new WeakSet<Socket>();

/** Responds to a request that could not be parsed, and ends the connection in a way that the response arrives. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // The parser fails again on every chunk in flight.
  if (lingering.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  lingering.add(socket);
  socket.end(REFUSALS[error.code ?? ''] ?? NOT_HTTP);
  // Closing with unread bytes resets the connection, and the client would never see the response.
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}

/** Sends the response in one piece: a flood of such requests must not cost a write per header. */
function toBytes(refusal: Problem): Buffer {
  const { headers, body } = problemMessage(refusal);
  const lines = Object.entries({ ...headers, ...SECURITY_HEADERS, ...OPEN_HEADERS })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const head = `HTTP/1.1 ${refusal.status} ${refusal.title}\r\n${lines}connection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
