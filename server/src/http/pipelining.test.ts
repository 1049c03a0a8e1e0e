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

/** Starts a server whose `/late` responds when `finish` is called. */
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
  app.get('/a', async () => 'a');
  const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  const client = connect({ host: '127.0.0.1', port });
  client.on('error', () => {});
  await once(client, 'connect');
  return { client, handled, finish };
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

describe('limitPipelining', () => {
  test('default: eight requests may wait for the response to an earlier one', async () => {
    const { client, handled, finish } = await start();
    const received = listenTo(client);
    send(client, '/late', 1);
    send(client, '/a', 7);
    send(client, '/a', 1, 'Connection: close\r\n');
    await expect.poll(() => handled).toHaveLength(9);
    finish();
    await once(client, 'close');
    expect(countResponses(received())).toBe(9);
  });

  test.each([
    '/a',
    // Its URL cannot be parsed, so no route and no hook handles it.
    '/%zz',
  ])('behavior: a connection with more is closed, and they are not handled: %s', async (path) => {
    const before = readCount();
    const { client, handled } = await start();
    const closed = new Promise((resolve) => client.once('close', resolve));
    send(client, '/late', 1);
    send(client, path, 2_000);
    await closed;
    expect(handled).toHaveLength(9);
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
});
