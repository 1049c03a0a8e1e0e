import { once } from 'node:events';
import { connect } from 'node:net';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AccessLine, createAccessLog } from './accessLog.ts';
import { createClientAddress } from './clientAddress.ts';
import { closeServer, listen } from './listen.ts';
import { createRequestTimes, type RequestTimes } from './requestTimes.ts';
import type { Route } from './route.ts';
import { createServer } from './server.ts';

const MADE = /^[\w-]{16}$/;

let app: ReturnType<typeof createServer>;
let url: string;
let port: number;
let times: RequestTimes;
let lines: AccessLine[];
let failures: (string | undefined)[];
let slow: () => Promise<unknown>;

function route(path: string, more: Partial<Route> = {}): Route {
  const slug = { in: 'path', required: true, description: '', schema: Type.String(), example: '' };
  return {
    path,
    access: 'open',
    operationId: path,
    summary: '',
    description: '',
    tag: 'vaults',
    parameters: path.includes('{') ? [{ ...slug, in: 'path', name: 'slug' }] : [],
    response: Type.Unknown(),
    responseExample: null,
    problems: [],
    maxAge: 5,
    answer: async () => ({ some: 'thing' }),
    ...more,
  };
}

beforeEach(async () => {
  times = createRequestTimes();
  lines = [];
  failures = [];
  slow = async () => ({});
  const accessLog = createAccessLog((line) => lines.push(line), createClientAddress([]));
  app = createServer({
    version: '1',
    getChainStatuses: async () => [],
    onError: (_error, requestId) => failures.push(requestId),
    observers: { times, accessLog },
    routes: [
      route('/v1/kept/{slug}', { families: () => ['a'] }),
      route('/v1/plain'),
      route('/v1/slow', { maxAge: 0, answer: () => slow() }),
      route('/v1/broken', {
        answer: async () => {
          throw new Error('a secret');
        },
      }),
      route('/v1/broken/{slug}', {
        answer: async () => {
          throw new Error('a secret');
        },
      }),
    ],
  });
  port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  url = `http://127.0.0.1:${port}`;
});
afterEach(() => closeServer(app, 1_000));

/** Returns labels and counts of the histogram once this many requests were recorded. */
async function recorded(count: number): Promise<Record<string, number>> {
  const read = () =>
    Object.fromEntries(
      times
        .read()
        .map(({ labels, counts }) => [
          `${labels.route} ${labels.status}`,
          counts.reduce((sum, one) => sum + one, 0),
        ]),
    );
  await expect.poll(() => Object.values(read()).reduce((sum, one) => sum + one, 0)).toBe(count);
  return read();
}

/** Sends raw bytes and returns what comes back until the server ends the connection. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (part) => {
      received += part;
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}

describe('X-Request-Id', () => {
  const PATHS = [
    '/v1/kept/a',
    '/v1/kept/a',
    '/v1/plain',
    '/v1/plain',
    '/v1/broken',
    '/v1/broken/a',
    '/nothing',
    '/health/live',
    '/%zz',
  ];

  test('default: every response has its own id, also from the cache', async () => {
    const seen = new Set<string>();
    for (const path of PATHS) {
      const response = await fetch(`${url}${path}`);
      const id = response.headers.get('x-request-id');
      expect(id, `${path} ${response.status}`).toMatch(MADE);
      seen.add(id!);
    }
    expect(seen.size).toBe(PATHS.length);
  });

  test('behavior: not modified, other methods, preflight, HEAD', async () => {
    const etag = (await fetch(`${url}/v1/kept/a`)).headers.get('etag')!;
    for (const init of [
      { headers: { 'if-none-match': etag } },
      { method: 'POST' },
      { method: 'OPTIONS' },
      { method: 'HEAD' },
    ]) {
      const { headers, status } = await fetch(`${url}/v1/kept/a`, init);
      expect(headers.get('x-request-id'), `${status}`).toMatch(MADE);
    }
    const { headers } = await fetch(`${url}/v1/kept/a`);
    expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  });

  test("behavior: a client's own id is used if it is short and plain", async () => {
    const taken = ['a', 'req_1.2:3=4-5', 'x'.repeat(64)];
    const refused = ['', ' ', 'x'.repeat(65), 'a b', 'a"b', 'ä', 'a,b', '{}', 'a/b'];
    const idOf = async (path: string, id: string) =>
      (await fetch(`${url}${path}`, { headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      );
    for (const path of PATHS) {
      for (const id of taken) expect(await idOf(path, id), path).toBe(id);
    }
    for (const id of refused) expect(await idOf('/v1/kept/a', id), id).toMatch(MADE);
  });

  test('behavior: an error is logged with it, and the response does not have more', async () => {
    for (const path of ['/v1/broken', '/v1/broken/a']) {
      const response = await fetch(`${url}${path}`, {
        headers: { 'x-request-id': `id-of-${path.length}` },
      });
      expect(response.status).toBe(500);
      expect(Object.keys((await response.json()) as object)).toEqual(['type', 'title', 'status']);
    }
    expect(failures).toEqual(['id-of-10', 'id-of-12']);
  });
});

describe('request times', () => {
  test('default: by the pattern of the route, never by the path', async () => {
    for (const path of [
      '/v1/kept/a',
      '/v1/kept/a',
      '/v1/kept/b?x=1',
      '/v1/plain',
      '/v1/broken/a',
    ]) {
      await (await fetch(`${url}${path}`)).text();
    }
    for (const path of ['/nothing', '/nothing/else', '/%zz'])
      await (await fetch(url + path)).text();
    await (await fetch(`${url}/v1/kept/a`, { method: 'DELETE' })).text();
    await (await fetch(`${url}/health/live`)).text();
    expect(await recorded(10)).toEqual({
      '/v1/kept/{slug} 2xx': 3,
      '/v1/plain 2xx': 1,
      '/v1/broken/{slug} 5xx': 1,
      'unmatched 4xx': 3,
      '/v1/kept/{slug} 4xx': 1,
      '/health/live 2xx': 1,
    });
  });

  test('behavior: a client that gives up is recorded as such', async () => {
    let answer: (value: unknown) => void = () => {};
    const asked = new Promise<void>((resolve) => {
      slow = () => {
        resolve();
        return new Promise((done) => {
          answer = done;
        });
      };
    });
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /v1/slow?key=secret HTTP/1.1\r\nHost: a\r\n\r\n'),
    );
    await asked;
    socket.destroy();
    await once(socket, 'close');
    expect(await recorded(1)).toEqual({ '/v1/slow aborted': 1 });
    answer({});
    expect(lines).toMatchObject([
      { route: '/v1/slow', status: null, bytes: 0, client: '127.0.0.1' },
    ]);
  });
});

describe('access log', () => {
  test('default: one line per request, without the query', async () => {
    const secret = { 'x-request-id': 'mine', 'payment-signature': 'secret', cookie: 'secret' };
    await (await fetch(`${url}/v1/kept/a?key=secret`, { headers: secret })).text();
    await recorded(1);
    expect(lines).toEqual([
      {
        method: 'GET',
        route: '/v1/kept/{slug}',
        path: '/v1/kept/a',
        status: 200,
        bytes: expect.any(Number),
        milliseconds: expect.any(Number),
        requestId: 'mine',
        client: '127.0.0.1',
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('behavior: bytes are those of each response, also when requests are pipelined', async () => {
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
    const requests = [
      get('/v1/kept/a', 'X-Request-Id: 1\r\n'),
      get('/v1/plain', 'X-Request-Id: 2\r\n'),
      get('/nothing', 'X-Request-Id: 3\r\nConnection: close\r\n'),
    ];
    const received = await raw(requests.join(''));
    await recorded(3);
    const sizes = received.split(/(?=HTTP\/1\.1 \d)/).map(({ length }) => length);
    expect(sizes).toHaveLength(3);
    expect(lines.map(({ requestId, bytes }) => [requestId, bytes])).toEqual(
      sizes.map((size, i) => [String(i + 1), size]),
    );
  });

  test('behavior: long paths are cut', async () => {
    await (await fetch(`${url}/${'x'.repeat(5_000)}`)).text();
    await recorded(1);
    expect(lines[0]!.path).toHaveLength(256);
    expect(lines[0]!.route).toBe(null);
  });
});
