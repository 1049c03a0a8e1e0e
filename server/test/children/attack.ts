// Attacks the server on a loopback port with the connections that its argument describes as JSON. Prints `in place`
// when all are open. At SIGTERM, it prints the statuses of its requests, and from then on the number of open
// connections of each kind.
import { once } from 'node:events';
import net from 'node:net';
import { pause } from '../../src/runtime/pause.ts';
import { ask } from '../production/readers.ts';

export interface AttackOptions {
  readonly port: number;
  /** Number of connections that send nothing. */
  readonly idle: number;
  /** Number of connections of each kind that sends something slowly. */
  readonly slow: number;
  /** Number of connections that request much and read nothing, each as a different client. */
  readonly unread: number;
  /** Number of connections that send thousands of requests at once and read nothing. */
  readonly ahead: number;
  /** The path of the most expensive request. A timestamp is appended to avoid cached responses. */
  readonly heavy: string;
  /** Unix seconds at which those timestamps start. */
  readonly from: number;
}

const { port, idle, slow, unread, ahead, heavy, from } = JSON.parse(
  process.argv[2]!,
) as AttackOptions;
const server = `http://127.0.0.1:${port}`;
const KINDS = ['idle', 'drip', 'unread', 'ahead', 'halfway'] as const;
type Kind = (typeof KINDS)[number];
const sockets = new Map<net.Socket, Kind>();
/** A large response that takes little work. */
const LARGE = '/openapi.json';
/** As many as the server accepts at once on a connection. */
const UNREAD_REQUESTS = 9;
/** Repetitions whose responses are more than a connection's buffers hold: a receive buffer grows only while it is read. */
const UNREAD_TURNS = 2;
/** About what the server reads from a connection at once. */
const AHEAD_REQUESTS = 2_000;
const said = new Set<string>();
let over = false;
process.once('SIGTERM', () => {
  over = true;
});

await openMany('idle', idle, () => {});
const drips: Promise<void>[] = [];
await openMany('drip', slow, (socket) => drips.push(drip(socket)));
await openMany('unread', unread, askAndReadNothing);
await openMany('ahead', ahead, (socket) => {
  socket.pause();
  socket.write('GET /v1/vaults HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(AHEAD_REQUESTS));
});
await openMany('halfway', slow, leaveHalfway);
const attacks = slow === 0 ? [] : [...drips, ...times(4, flood), ...times(2, askForMuch)];
console.log('in place');
while (!over) await pause(50);
await Promise.all(attacks);
console.log(JSON.stringify([...said].sort()));
// A socket detects that the other side closed only while it reads. Sockets that were not closed receive their data now
// and stay.
for (const socket of sockets.keys()) socket.resume();
for (;;) {
  const kinds = [...sockets.values()];
  const left = KINDS.map((kind) => [kind, kinds.filter((one) => one === kind).length]);
  console.log(JSON.stringify(Object.fromEntries(left)));
  await pause(500);
}

/** Sends one byte of a header every 300 ms without end. */
async function drip(socket: net.Socket): Promise<void> {
  socket.write('GET /v1/vaults HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  while (!over && !socket.destroyed) {
    socket.write('a');
    await pause(300);
  }
}

async function askAndReadNothing(socket: net.Socket, i: number): Promise<void> {
  socket.pause();
  const client = `198.18.${Math.floor(i / 250)}.${i % 250}`;
  const request = `GET ${LARGE} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`;
  for (let turn = 0; turn < UNREAD_TURNS && !socket.destroyed; turn++) {
    socket.write(request.repeat(UNREAD_REQUESTS));
    await pause(2_000);
  }
}

/** Sends half of a request and then nothing more. */
function leaveHalfway(socket: net.Socket): void {
  socket.write('GET /v1/va');
  socket.unref();
}

async function flood(): Promise<void> {
  while (!over) {
    const reply = await ask(`${server}/v1/vaults`, { 'x-flood': 'a'.repeat(20_000) });
    if (reply !== undefined) said.add(`flood ${reply.status}`);
    await pause(20);
  }
}

async function askForMuch(client: number): Promise<void> {
  for (let n = 0; !over; n++) {
    const moment = new Date((from + n) * 1000).toISOString();
    const headers = { 'x-forwarded-for': `203.0.113.${2 + client}` };
    const reply = await ask(`${server}${heavy}&from=${moment}`, headers);
    said.add(`heavy ${reply?.status}`);
  }
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

async function openMany(
  kind: Kind,
  count: number,
  each: (socket: net.Socket, i: number) => void,
): Promise<void> {
  for (let i = 0; i < count; i += 100) {
    const some = await Promise.all(times(Math.min(100, count - i), () => open(kind)));
    for (const [at, socket] of some.entries()) each(socket, i + at);
  }
}

/** Resolves once connected. Later errors are expected. */
async function open(kind: Kind): Promise<net.Socket> {
  const socket = net.connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  socket.resume();
  socket.on('close', () => sockets.delete(socket));
  sockets.set(socket, kind);
  await once(socket, 'connect');
  return socket;
}
