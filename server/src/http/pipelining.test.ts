import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { createConnectionCounts } from './connections.ts';
import { createHttpServer } from './httpServer.ts';
import { closeServer, listen } from './listen.ts';

const counts = createConnectionCounts();
let app: FastifyInstance;
afterEach(() => closeServer(app, 0));

/** Starts a server whose `/late` and `/last` respond when `finish` is called; `/last` closes the connection. */
async function start() {
  const handled: string[] = [];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  app = createHttpServer({
    onError: () => {},
    guard: () => undefined,
    observe: ({ url }) => void handled.push(url ?? ''),
    connections: { counts },
  });
  app.get('/late', async () => {
    await finished;
    return 'late';
  });
  app.get('/last', async (_request, reply) => {
    await finished;
    return reply.header('connection', 'close').send('last');
  });
  app.get('/a', async () => 'a');
  const served: Socket[] = [];
  app.server.on('connection', (socket) => served.push(socket));
  const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  const client = connect({ host: '127.0.0.1', port });
  client.on('error', () => {});
  await once(client, 'connect');
  await expect.poll(() => served).toHaveLength(1);
  return { client, served: served[0]!, handled, finish };
}

function send(client: Socket, path: string, times: number, more = ''): void {
  client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`.repeat(times));
}

function listenTo(client: Socket): () => string {
  let received = '';
  client.on('data', (part) => {
    received += part;
  });
  return () => received;
}

function countResponses(received: string): number {
  return received.split('HTTP/1.1 ').length - 1;
}

function readCount(): number {
  return counts.read().find(({ reason }) => reason === 'pipelined')!.value;
}

describe('createTurns', () => {
  test('default: requests sent at once are handled one after the other', async () => {
    const { client, handled, finish } = await start();
    const received = listenTo(client);
    send(client, '/a', 1);
    send(client, '/late', 1);
    send(client, '/a', 6);
    send(client, '/a', 1, 'Connection: close\r\n');
    await expect.poll(() => countResponses(received())).toBe(1);
    expect(handled).toEqual(['/a', '/late']);
    finish();
    await once(client, 'close');
    expect(countResponses(received())).toBe(9);
  });

  test.each([
    '/a',
    // Its URL cannot be parsed, so no route and no hook handles it.
    '/%zz',
  ])('behavior: a connection on which more than 8 wait is closed: %s', async (path) => {
    const before = readCount();
    const { client, handled } = await start();
    const closed = new Promise((resolve) => client.once('close', resolve));
    send(client, '/late', 1);
    send(client, path, 2_000);
    await closed;
    expect(handled).toEqual(['/late']);
    expect(readCount()).toBe(before + 1);
  });

  test('behavior: requests that got their response do not count', async () => {
    const { client, finish } = await start();
    finish();
    const received = listenTo(client);
    for (let turn = 1; turn <= 5; turn++) {
      send(client, '/a', 9);
      await expect.poll(() => countResponses(received())).toBe(9 * turn);
    }
    client.destroy();
  });

  test('behavior: requests that wait are not handled if the client leaves', async () => {
    const { client, served, handled, finish } = await start();
    send(client, '/late', 1);
    send(client, '/a', 2);
    await expect.poll(() => handled).toEqual(['/late']);
    client.destroy();
    await expect.poll(() => served.closed).toBe(true);
    finish();
    expect(handled).toEqual(['/late']);
  });

  test('behavior: requests that wait are not handled if the response before them is the last', async () => {
    const { client, served, handled, finish } = await start();
    client.resume();
    send(client, '/last', 1);
    send(client, '/a', 2);
    await expect.poll(() => handled).toEqual(['/last']);
    finish();
    await expect.poll(() => served.closed).toBe(true);
    expect(handled).toEqual(['/last']);
  });
});
