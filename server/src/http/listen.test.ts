import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from './httpServer.ts';
import { closeServer, drain, listen } from './listen.ts';
import { openStartingServer } from './startingServer.ts';

const TARGET = { host: '127.0.0.1', port: 0, setting: 'PORT' };

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

function ask(port: number, path: string, agent: http.Agent | false = false): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, agent }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body }),
      );
    });
    request.on('error', reject);
  });
}

function keepAlive(): http.Agent {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

function createApp() {
  const app = createHttpServer({ onError: () => {}, guard: () => undefined });
  let finish = () => {};
  const late = new Promise<string>((resolve) => {
    finish = () => resolve('late');
  });
  app.get('/now', async () => 'now');
  app.get('/late', () => late);
  return { app, finish };
}

async function open(app: FastifyInstance): Promise<number> {
  const port = await listen(app, TARGET);
  onTestFinished(() => closeServer(app, 0));
  return port;
}

describe('openStartingServer', () => {
  test('default: it is alive, and returns 503 for everything else', async () => {
    const starting = await openStartingServer(TARGET, () => 'opening the database');
    onTestFinished(starting.close);
    expect(await ask(starting.port, '/health/live')).toMatchObject({
      status: 200,
      headers: { connection: 'close' },
      body: '{"status":"live"}',
    });
    for (const path of ['/health/ready', '/v1/vaults', '/health/lively', '/metrics']) {
      const { status, headers, body } = await ask(starting.port, path);
      expect({ status, type: headers['content-type'], retry: headers['retry-after'] }).toEqual({
        status: 503,
        type: 'application/problem+json; charset=utf-8',
        retry: '5',
      });
      expect(JSON.parse(body).detail).toBe(
        'not ready: the server is starting (opening the database); try again soon',
      );
    }
  });

  test('behavior: its port passes to a server without being closed', async () => {
    const starting = await openStartingServer(TARGET, () => 'starting');
    const { app } = createApp();
    onTestFinished(() => closeServer(app, 0));
    let over = false;
    const seen = new Set<number>();
    const asking = Promise.all(
      [1, 2, 3, 4].map(async () => {
        while (!over) seen.add((await ask(starting.port, '/now')).status);
      }),
    );
    await expect.poll(() => seen.has(503)).toBe(true);
    expect(await listen(app, TARGET, starting)).toBe(starting.port);
    await expect.poll(() => seen.has(200)).toBe(true);
    over = true;
    await asking;
    expect([...seen].sort()).toEqual([200, 503]);
    await closeServer(app, 0);
    await expect(ask(starting.port, '/now')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('error: the port is in use', async () => {
    const starting = await openStartingServer(TARGET, () => 'starting');
    onTestFinished(starting.close);
    const { port } = starting;
    await expect(openStartingServer({ ...TARGET, port }, () => '')).rejects.toMatchObject({
      name: 'ListenFailed',
      code: 'EADDRINUSE',
    });
  });
});

describe('drain', () => {
  test('default: serves old and new connections, and closes connections in the second half', async () => {
    const { app } = createApp();
    const port = await open(app);
    const agent = keepAlive();
    expect((await ask(port, '/now', agent)).headers.connection).toBe('keep-alive');
    const drained = drain(app, 2);
    expect((await ask(port, '/now', agent)).headers.connection).toBe('keep-alive');
    await expect
      .poll(async () => (await ask(port, '/now', agent)).headers.connection, { timeout: 10_000 })
      .toBe('close');
    expect(await ask(port, '/now')).toMatchObject({ status: 200, body: 'now' });
    await drained;
    expect(await ask(port, '/now')).toMatchObject({ status: 200, body: 'now' });
  });
});

describe('closeServer', () => {
  test('default: requests in progress get a response, idle connections are closed, new ones are rejected', async () => {
    const { app, finish } = createApp();
    const port = await open(app);
    const [idle, busy] = [keepAlive(), keepAlive()];
    await ask(port, '/now', idle);
    await expect.poll(() => Object.keys(idle.freeSockets)).toHaveLength(1);
    const [socket] = Object.values(idle.freeSockets)[0]!;
    const ended = once(socket!, 'close');
    const late = ask(port, '/late', busy);
    await expect.poll(() => connections(app)).toBe(2);
    const closed = closeServer(app, 60_000);
    await ended;
    await expect.poll(() => isRefused(port)).toBe(true);
    finish();
    expect(await late).toMatchObject({
      status: 200,
      body: 'late',
      headers: { connection: 'close' },
    });
    await closed;
  });

  test('behavior: a request that arrives on an open connection meanwhile gets a response', async () => {
    const { app, finish } = createApp();
    const port = await open(app);
    const [first, second] = [`GET /late HTTP/1.1`, `GET /now HTTP/1.1`].map(
      (line) => `${line}\r\nhost: a\r\n\r\n`,
    );
    const socket = connect(port, '127.0.0.1');
    let said = '';
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.write(first!);
    // Half a request, so that the connection is not idle.
    const other = connect(port, '127.0.0.1');
    let otherSaid = '';
    other.on('data', (chunk) => {
      otherSaid += chunk;
    });
    other.write(second!.slice(0, 20));
    await expect.poll(() => connections(app)).toBe(2);
    const closed = closeServer(app, 60_000);
    await expect.poll(() => isRefused(port)).toBe(true);
    other.write(second!.slice(20));
    await expect.poll(() => otherSaid).toMatch(/^HTTP\/1.1\s200 [\s\S]*now$/);
    expect(otherSaid).toMatch(/\r\nconnection: close\r\n/i);
    finish();
    await closed;
    await expect.poll(() => said).toMatch(/^HTTP\/1.1\s200 [\s\S]*late$/);
  });

  test('behavior: a response that its client reads slowly arrives in full', async () => {
    const { app } = createApp();
    // More than the buffers of both ends hold together.
    const large = Buffer.alloc(64 * 1024 * 1024);
    app.get('/large', async () => large);
    const port = await open(app);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /large HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(socket, 'readable');
    const closed = closeServer(app, 60_000);
    await expect.poll(() => isRefused(port)).toBe(true);
    let got = 0;
    for await (const chunk of socket) got += (chunk as Buffer).length;
    expect(got).toBeGreaterThan(large.length);
    await closed;
  });

  test('behavior: connections without a request do not hold it up', async () => {
    const { app } = createApp();
    const port = await open(app);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    await expect.poll(() => connections(app)).toBe(1);
    const ended = once(socket, 'close');
    await closeServer(app, 600_000);
    await ended;
  });
});

function isRefused(port: number): Promise<boolean> {
  return ask(port, '/now').then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  );
}

function connections(app: FastifyInstance): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));
}
