import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createSender, publicLookup, type Resolve, type SenderOptions } from './sender.ts';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanUp.splice(0)) clean();
});

async function receiver(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, server };
}

function open(url: string, options: Partial<SenderOptions> = {}) {
  const sender = createSender({ url, allowPrivate: true, ...options });
  cleanUp.push(() => sender.close());
  return sender;
}

describe('createSender', () => {
  test('default: posts, and keeps the connection', async () => {
    const seen: unknown[] = [];
    const ports = new Set<number | undefined>();
    const { url } = await receiver((request, response) => {
      ports.add(request.socket.remotePort);
      let body = '';
      request.on('data', (piece) => (body += piece));
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers['webhook-id'], body]);
        response.end('thanks');
      });
    });
    const sender = open(url);
    const outcome = await sender.send({ 'webhook-id': 'a' }, '{"é":1}');
    expect(outcome).toEqual({ status: 200, error: null, retryAfterMs: 0 });
    await sender.send({ 'webhook-id': 'b' }, '{}');
    expect(seen).toEqual([
      ['POST', '/hook', 'a', '{"é":1}'],
      ['POST', '/hook', 'b', '{}'],
    ]);
    expect(ports.size).toBe(1);
  });

  test('behavior: a long response is cut, and its status counts', async () => {
    const { url } = await receiver((_, response) => {
      response.writeHead(201);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
        response.once('drain', write);
      };
      write();
    });
    expect(await open(url).send({}, '{}')).toMatchObject({ status: 201, error: null });
  });

  test('error: redirects are not followed', async () => {
    const other = await receiver((_, response) => response.end());
    let wasFollowed = false;
    other.server.on('request', () => {
      wasFollowed = true;
    });
    const { url } = await receiver((_, response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    const { status, error } = await open(url).send({}, '{}');
    expect({ status, error, wasFollowed }).toEqual({
      status: 307,
      error: 'HTTP 307: redirects are not followed; configure the final URL',
      wasFollowed: false,
    });
  });

  test('error: HTTP errors, with the time to wait', async () => {
    const { url } = await receiver((_, response) =>
      response.writeHead(503, { 'retry-after': '7' }).end('a secret of the receiver'),
    );
    const outcome = await open(url).send({}, '{}');
    expect(outcome).toEqual({ status: 503, error: 'HTTP 503', retryAfterMs: 7_000 });
  });

  test('error: a receiver that does not respond', async () => {
    const { url } = await receiver(() => {});
    const { status, error } = await open(url, { timeoutMs: 50 }).send({}, '{}');
    expect({ status, error }).toEqual({ status: null, error: 'no response in time' });
  });

  test('error: nothing listens', async () => {
    const { url, server } = await receiver(() => {});
    await new Promise((resolve) => server.close(resolve));
    const { status, error } = await open(url).send({}, '{}');
    expect({ status, error }).toEqual({ status: null, error: 'ECONNREFUSED' });
  });

  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'localhost'])(
    'error: does not connect to %s without allowPrivate',
    async (host) => {
      let connections = 0;
      const { url, server } = await receiver((_, response) => response.end());
      server.on('connection', () => connections++);
      const other = url.replace('127.0.0.1', host);
      const { status, error } = await open(other, { allowPrivate: false }).send({}, '{}');
      expect({ status, error, connections }).toEqual({
        status: null,
        error: 'the address is not public; set allowPrivate if that is intended',
        connections: 0,
      });
    },
  );

  test('error: does not connect to a name that turns private after it was checked', async () => {
    let connections = 0;
    const { url, server } = await receiver((_, response) => response.end());
    server.on('connection', () => connections++);
    // What an attacker's name server returns: a private address to the one who connects.
    const resolve: Resolve = (_name, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const rebound = url.replace('127.0.0.1', 'rebind.example');
    const sender = open(rebound, { allowPrivate: false, resolve });
    expect(await sender.send({}, '{}')).toMatchObject({
      error: expect.stringContaining('not public'),
    });
    expect(connections).toBe(0);
    // The same name is connected to where private addresses are allowed: it is the check that prevents it.
    expect(await open(url).send({}, '{}')).toMatchObject({ status: 200 });
    expect(connections).toBe(1);
  });
});

describe('publicLookup', () => {
  const addresses = [
    { address: '10.0.0.1', family: 4 },
    { address: '1.1.1.1', family: 4 },
    { address: '::ffff:169.254.169.254', family: 6 },
    { address: '2606:4700::1', family: 6 },
  ];
  const lookup = publicLookup((_name, _options, callback) => callback(null, addresses));

  test('default: returns only public addresses to connect to', () => {
    const found: unknown[] = [];
    lookup('a.example', { all: true }, (_error, all) => found.push(all));
    lookup('a.example', {}, (...one) => found.push(one));
    expect(found).toEqual([
      [addresses[1], addresses[3]],
      [null, '1.1.1.1', 4],
    ]);
  });
});
