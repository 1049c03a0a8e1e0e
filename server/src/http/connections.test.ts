import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { createPeerOf } from './clientAddress.ts';
import { type ConnectionLimits, createConnectionCounts, limitConnections } from './connections.ts';
import { createHttpServer } from './httpServer.ts';
import { closeServer, listen } from './listen.ts';

/** More than the buffers of both ends hold together. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);
/** Long enough that no timer fires during a test. */
const NEVER = 2 ** 30;

const apps: FastifyInstance[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const app of apps.splice(0)) await closeServer(app, 0);
});

/** Starts a server with a large response and one that is never ready. */
async function start(connections: ConnectionLimits = { stalledMs: NEVER }) {
  const app = createHttpServer({ onError: () => {}, guard: () => undefined, connections });
  apps.push(app);
  const accepted: Socket[] = [];
  app.server.on('connection', (socket) => accepted.push(socket));
  app.get('/large', async () => LARGE);
  let ready = () => {};
  const made = new Promise<void>((resolve) => {
    ready = resolve;
  });
  app.get('/late', async () => {
    await made;
    return 'at last';
  });
  const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  return { app, port, accepted, ready };
}

async function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const client = connect({ host: '127.0.0.1', port, localAddress });
  clients.push(client);
  // A rejected connection may be reset; it only matters that it ends.
  client.on('error', () => {});
  await once(client, 'connect');
  return client;
}

function ask(client: Socket, path: string): void {
  client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
}

/** Requests the large response and reads nothing; resolves when the system accepts no more of it. */
async function stall(port: number, accepted: readonly Socket[]): Promise<[Socket, Socket]> {
  const client = await open(port);
  client.pause();
  ask(client, '/large');
  await expect.poll(() => accepted.at(-1)?.writableLength).toBeGreaterThan(0);
  const socket = accepted.at(-1)!;
  await settled(socket);
  return [client, socket];
}

/** Waits until the system has accepted all that it will. */
async function settled(socket: Socket): Promise<void> {
  let before = -1;
  await expect
    .poll(
      () => {
        const same = left(socket) === before;
        before = left(socket);
        return same;
      },
      { interval: 100 },
    )
    .toBe(true);
}

function left(socket: Socket): number {
  return (socket as unknown as { _handle: { writeQueueSize: number } })._handle.writeQueueSize;
}

function times(count: number, work: () => void): void {
  for (let i = 0; i < count; i++) work();
}

describe('limitConnections: unread responses', () => {
  test('default: closes the connection of a client that reads nothing, and only through this limit', async () => {
    const counts = createConnectionCounts();
    const guarded = await start({ stalledMs: 300, counts });
    const unguarded = await start();
    const [, stands] = await stall(unguarded.port, unguarded.accepted);
    const [client, socket] = await stall(guarded.port, guarded.accepted);
    await once(socket, 'close');
    expect(counts.read()).toContainEqual({ reason: 'stalled', value: 1 });
    // Some versions of Node report the reset as an error first.
    const closed = new Promise((resolve) => client.once('close', resolve));
    client.resume();
    await closed;
    // On the unguarded server, the older stalled connection is still open.
    expect(stands.destroyed).toBe(false);
    expect(stands.writableLength).toBeGreaterThan(0);
  });

  test('behavior: closes after the full time, which data sent meanwhile does not extend', async () => {
    const { app, port, accepted } = await start();
    const look = limitConnections(app.server, { stalledMs: NEVER });
    const [client, socket] = await stall(port, accepted);
    times(6, look);
    expect(socket.destroyed).toBe(false);
    client.write('GET /large HTTP/1.1\r\n');
    look();
    expect(socket.destroyed).toBe(true);
  });

  test('behavior: a slow reader of one large piece is never cut off', async () => {
    const { app, port, accepted } = await start();
    const counts = createConnectionCounts();
    const look = limitConnections(app.server, { stalledMs: NEVER, counts });
    const [client, socket] = await stall(port, accepted);
    let read = 0;
    let before = Number.POSITIVE_INFINITY;
    client.on('data', (part) => {
      read += part.length;
      // Enough for the system to show progress.
      if (left(socket) < before) client.pause();
    });
    for (let turn = 0; turn < 8; turn++) {
      times(6, look);
      before = left(socket);
      client.resume();
      await expect.poll(() => client.isPaused()).toBe(true);
      await settled(socket);
    }
    before = Number.NEGATIVE_INFINITY;
    expect(socket.destroyed).toBe(false);
    client.resume();
    await expect.poll(() => read, { timeout: 20_000 }).toBeGreaterThan(LARGE.length);
    expect(counts.read()).toContainEqual({ reason: 'stalled', value: 0 });
  });

  test('behavior: waits for a response that is still being computed', async () => {
    const { app, port, accepted, ready } = await start();
    const look = limitConnections(app.server, { stalledMs: NEVER });
    const client = await open(port);
    ask(client, '/late');
    await expect.poll(() => accepted[0]?.bytesRead).toBeGreaterThan(0);
    times(20, look);
    ready();
    const [answer] = await once(client, 'data');
    expect(String(answer)).toContain('at last');
  });
});

describe('limitConnections: of one client', () => {
  const limits = (trustedProxies: readonly string[] = [], loopback = true) => ({
    stalledMs: NEVER,
    perClient: 3,
    clientOf: createPeerOf({ trustedProxies, loopback }),
    counts: createConnectionCounts(),
  });

  /** Opens this many connections; returns those that were not rejected. */
  async function admitted(port: number, count: number, from?: string): Promise<Socket[]> {
    const all = await Promise.all(Array.from({ length: count }, () => open(port, from)));
    const stayed = await Promise.all(
      all.map(
        (client) =>
          new Promise<boolean>((resolve) => {
            client.once('data', () => resolve(true));
            client.once('close', () => resolve(false));
            ask(client, '/none');
          }),
      ),
    );
    return all.filter((_, i) => stayed[i]);
  }

  test('default: connections above the limit are closed at once, and other clients are served', async () => {
    const own = limits();
    const { port } = await start(own);
    const first = await admitted(port, 5, '127.0.0.2');
    expect(first).toHaveLength(3);
    expect(own.counts.read()).toContainEqual({ reason: 'client', value: 2 });
    expect(await admitted(port, 3, '127.0.0.3')).toHaveLength(3);
    first[0]!.destroy();
    await expect.poll(async () => (await admitted(port, 1, '127.0.0.2')).length).toBe(1);
  });

  test.each([
    ['a trusted proxy', limits(['127.0.0.0/8'])],
    ['a client on this machine, by default', limits([], false)],
  ])('behavior: no limit for %s', async (_, own) => {
    const { port } = await start(own);
    expect(await admitted(port, 10)).toHaveLength(10);
    expect(own.counts.read()).toContainEqual({ reason: 'client', value: 0 });
  });

  test('behavior: an IPv6 client is its /64, and an IPv4-mapped address is IPv4', () => {
    const peerOf = createPeerOf({ trustedProxies: ['2001:db8:9::/48'], loopback: false });
    const of = (remoteAddress: string) => peerOf({ remoteAddress } as Socket);
    expect(of('2001:db8:1:2:3:4:5:6')).toBe(of('2001:db8:1:2::9'));
    expect(of('2001:db8:1:3::9')).not.toBe(of('2001:db8:1:2::9'));
    expect(of('::ffff:198.51.100.7')).toBe(of('198.51.100.7'));
    expect(of('2001:db8:9:1::1')).toBeUndefined();
    expect(of('::1')).toBeUndefined();
  });
});
