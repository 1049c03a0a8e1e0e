// Does its worst to the server on a loopback port, as its argument says in JSON. Says `in place` when all stand before
// it; told to end by SIGTERM it says how its requests were answered, and from then on how many connections are left.
import { once } from 'node:events';
import net from 'node:net';
import { pause } from '../../src/runtime/pause.ts';
import { ask } from '../production/readers.ts';

export interface SiegeOptions {
  readonly port: number;
  /** Connections that do nothing. */
  readonly idle: number;
  /** Of each kind that does something, slowly. */
  readonly slow: number;
  /** The most that one request can ask for, without anything kept: a path to which a moment is added. */
  readonly heavy: string;
  /** Unix seconds from which those moments count. */
  readonly from: number;
}

const { port, idle, slow, heavy, from } = JSON.parse(process.argv[2]!) as SiegeOptions;
const server = `http://127.0.0.1:${port}`;
const sockets = new Set<net.Socket>();
const said = new Set<string>();
let over = false;
process.once('SIGTERM', () => {
  over = true;
});

await openMany(idle, () => {});
const drips: Promise<void>[] = [];
await openMany(slow, (socket) => drips.push(drip(socket)));
await openMany(slow, askAndReadNothing);
await openMany(slow, leaveHalfway);
const attacks = [...drips, ...times(4, flood), ...times(2, askForMuch)];
console.log('in place');
await Promise.all(attacks);
console.log(JSON.stringify([...said].sort()));
for (;;) {
  console.log(sockets.size);
  await pause(500);
}

/** One byte of a header now and then, for ever. */
async function drip(socket: net.Socket): Promise<void> {
  socket.write('GET /v1/vaults HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  while (!over && !socket.destroyed) {
    socket.write('a');
    await pause(300);
  }
}

function askAndReadNothing(socket: net.Socket): void {
  socket.pause();
  const request = `GET ${heavy} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n`;
  socket.write(request.repeat(20));
}

/** Half of a request, and then the client is gone without a word. */
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

async function openMany(count: number, each: (socket: net.Socket) => void): Promise<void> {
  for (let i = 0; i < count; i += 100) {
    const some = await Promise.all(times(Math.min(100, count - i), open));
    some.forEach(each);
  }
}

/** Resolves when it is connected; whatever becomes of it later is the server's affair. */
async function open(): Promise<net.Socket> {
  const socket = net.connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  // Only who reads learns that the other side has ended it.
  socket.resume();
  socket.on('close', () => sockets.delete(socket));
  sockets.add(socket);
  await once(socket, 'connect');
  return socket;
}
