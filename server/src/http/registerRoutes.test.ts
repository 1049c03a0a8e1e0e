import { request as send } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeServer, listen } from './listen.ts';
import { NotFound } from './problem.ts';
import { BYTES_OF_ONE } from './rateLimit.ts';
import type { Route, RouteRequest } from './route.ts';
import { createServer } from './server.ts';
import type { ServerDeps } from './serverDeps.ts';

const LONG = Array.from({ length: 500 }, (_, index) => ({ at: index, value: 'long' }));

let asked: RouteRequest[];
let change: (slug: string) => void;
let app: ReturnType<typeof createServer>;
let port: number;

function route(path: string, more: Partial<Route> = {}): Route {
  const place = {
    in: 'path',
    required: true,
    description: '',
    schema: Type.String(),
    example: '',
  } as const;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ ...place, name: name! }));
  const query = { ...place, in: 'query', required: false, name: 'q' } as const;
  return {
    path,
    access: 'open',
    operationId: path,
    summary: '',
    description: '',
    tag: 'vaults',
    parameters: [...names, query, { ...query, name: 'r' }],
    response: Type.Unknown(),
    responseExample: null,
    problems: [],
    maxAge: 5,
    answer: async (request) => {
      asked.push(request);
      if (request.path.slug === 'none') throw new NotFound('there is none');
      return { path: request.path, query: [...request.query], long: path.includes('long') && LONG };
    },
    ...more,
  };
}

const families = ({ path }: RouteRequest) => [path.slug!];

async function start(deps: Partial<ServerDeps> = {}): Promise<void> {
  app = createServer({
    version: '1',
    getChainStatuses: async () => [],
    onError: (error) => {
      throw error;
    },
    onFamilyChange: (listener) => {
      change = listener;
    },
    routes: [
      route('/v1/kept/{slug}', { families }),
      route('/v1/long/{slug}', { families }),
      route('/v1/live/{slug}'),
    ],
    now: () => 1_700_000_000,
    ...deps,
  });
  port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
}

beforeEach(async () => {
  asked = [];
  await start();
});
afterEach(() => closeServer(app, 1_000));

interface Got {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly body: Buffer;
}

/** Reads with node:http, because fetch would decode and normalize. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = send({ port, host: '127.0.0.1', path, headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const got = response.headers as Record<string, string | undefined>;
        resolve({ status: response.statusCode!, headers: got, body: Buffer.concat(parts) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('registerRoutes', () => {
  test('default: path and query are decoded, repeated values kept, unknown ones left out', async () => {
    await get('/v1/live/a%2Fb%20c?q=1+2%2B&r=%C3%BC&x=1&q=&r');
    expect(asked).toEqual([
      {
        path: { slug: 'a/b c' },
        query: new Map([
          ['q', ['1 2+', '']],
          ['r', ['ü', '']],
        ]),
        now: 1_700_000_000,
      },
    ]);
  });

  test('default: headers', async () => {
    const { status, headers } = await get('/v1/kept/a');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=5',
      vary: 'Accept-Encoding',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('behavior: a cached response is computed once for all encodings of its URL, with the same headers each time', async () => {
    const first = await get('/v1/kept/a?q=1&r=2');
    const again = await get('/v1/kept/a?q=1&r=2');
    const other = await get('/v1/kept/%61?x=5&r=2&q=%31');
    expect(asked.length).toBe(1);
    expect(again.body).toEqual(first.body);
    expect(other.body).toEqual(first.body);
    const { date: _, 'x-request-id': __, ...headers } = first.headers;
    expect(again.headers).toMatchObject(headers);
    await get('/v1/kept/a?q=2&r=1');
    await get('/v1/kept/a?q=1&q=2');
    await get('/v1/kept/a?q=2&q=1');
    expect(asked.length).toBe(4);
  });

  test('behavior: cached until its family changes', async () => {
    await get('/v1/kept/a');
    await get('/v1/kept/b');
    change('a');
    await get('/v1/kept/a');
    await get('/v1/kept/b');
    expect(asked.map(({ path }) => path.slug)).toEqual(['a', 'b', 'a']);
  });

  test('behavior: a live response is computed for each request', async () => {
    await get('/v1/live/a');
    await get('/v1/live/a');
    expect(asked.length).toBe(2);
  });

  test('behavior: 304', async () => {
    for (const path of ['/v1/kept/a', '/v1/live/a']) {
      const { headers, body } = await get(path);
      const etag = headers.etag!;
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const same = await get(path, { 'if-none-match': known });
        expect([same.status, same.body.length]).toEqual([304, 0]);
        expect(same.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=5' });
      }
      const different = await get(path, { 'if-none-match': '"x"' });
      expect(different.body).toEqual(body);
    }
  });

  test('behavior: compressed on request if that saves bytes, each encoding with its own tag', async () => {
    const plain = await get('/v1/long/a');
    const br = await get('/v1/long/a', { 'accept-encoding': 'gzip, br' });
    const gz = await get('/v1/long/a', { 'accept-encoding': 'gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect([br.headers['content-encoding'], gz.headers['content-encoding']]).toEqual([
      'br',
      'gzip',
    ]);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(gunzipSync(gz.body)).toEqual(plain.body);
    expect(new Set([plain, br, gz].map(({ headers }) => headers.etag)).size).toBe(3);
    expect((await get('/v1/long/a', { 'accept-encoding': 'br' })).body).toEqual(br.body);
    expect(asked.length).toBe(1);
    const other = { 'accept-encoding': 'gzip', 'if-none-match': br.headers.etag! };
    expect((await get('/v1/long/a', other)).status).toBe(200);
    const small = await get('/v1/kept/a', { 'accept-encoding': 'br' });
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  test('behavior: HEAD has the headers of GET and no body, computed or cached', async () => {
    const accept = { 'accept-encoding': 'br' };
    const head = await get('/v1/long/a', accept, 'HEAD');
    const { date: _, 'x-request-id': __, ...headers } = (await get('/v1/long/a', accept)).headers;
    expect(head.body.length).toBe(0);
    expect(head.headers).toMatchObject(headers);
    const again = await get('/v1/long/a', accept, 'HEAD');
    expect(again.headers).toMatchObject(headers);
    expect(again.body.length).toBe(0);
  });

  test('behavior: concurrent requests share one response', async () => {
    await Promise.all(Array.from({ length: 8 }, () => get('/v1/long/a')));
    expect(asked.length).toBe(1);
  });

  test('behavior: while the server closes, each connection ends with its response', async () => {
    let release: () => void = () => {};
    let begun: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const answer = async () => {
      begun();
      await held;
      return {};
    };
    await closeServer(app, 100);
    await start({ routes: [route('/v1/slow', { answer })] });
    const response = fetch(`http://127.0.0.1:${port}/v1/slow`);
    await arrived;
    const closed = closeServer(app, 60_000);
    while (app.server.listening) await new Promise((resolve) => setImmediate(resolve));
    release();
    expect((await response).headers.get('connection')).toBe('close');
    await closed;
  });

  test('behavior: two forms of one URL get the same response', async () => {
    await closeServer(app, 100);
    let fault: Error | undefined;
    const plain = route('/v1/plain', {
      answer: async ({ query }) => {
        if (fault !== undefined) throw fault;
        return { query: [...query], text: 'ü' };
      },
    });
    const faults: unknown[] = [];
    await start({ routes: [plain], onError: (error) => faults.push(error) });
    for (fault of [undefined, new NotFound('none'), new Error('secret')]) {
      for (const method of ['GET', 'HEAD']) {
        const first = await get('/v1/plain?q=1', {}, method);
        // Encoded, so that no cached response is found by this text.
        const long = await get('/v1/plai%6e?q=1', {}, method);
        const status = fault === undefined ? 200 : fault instanceof NotFound ? 404 : 500;
        expect([first.status, long.status]).toEqual([status, status]);
        const { date: _, 'x-request-id': __, ...headers } = long.headers;
        expect(first.headers).toMatchObject(headers);
        expect(first.body).toEqual(long.body);
        expect(first.body.toString()).not.toContain('secret');
      }
    }
    expect(faults).toHaveLength(4);
  });

  test('error: is a problem, and not cached', async () => {
    for (const _ of [1, 2]) {
      const { status, headers, body } = await get('/v1/kept/none');
      expect(status).toBe(404);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(JSON.parse(body.toString())).toMatchObject({ detail: 'there is none' });
    }
    expect(asked.length).toBe(2);
  });

  test.each([
    ['/v1/kept/%zz', 'path'],
    ['/v1/kept/%', 'path'],
    ['/v1/kept/%c3%28', 'path'],
    ['/v1/kept/a%00b', 'slug'],
    ['/v1/kept/a?q=%zz', 'q'],
    ['/v1/kept/a?r=1&q=%ff', 'q'],
  ])('error: %s', async (path, parameter) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(400);
    const { errors, detail } = JSON.parse(body.toString());
    expect(errors[0].parameter).toBe(parameter);
    expect(detail).toContain(parameter);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(asked).toEqual([]);
  });

  test('behavior: an invalid parameter that the route does not have is ignored', async () => {
    expect((await get('/v1/kept/a?x=%zz&%zz=1&__proto__=1&&=')).status).toBe(200);
    expect(asked[0]!.query.size).toBe(0);
  });

  test('error: one request too many, regardless of how its URL is encoded', async () => {
    await closeServer(app, 100);
    const rateLimit = { perSecond: 0.001, burst: 1, loopback: true, trustedProxies: [] };
    await start({ http: { rateLimit }, routes: [route('/v1/plain'), route('/v1/live/{slug}')] });
    expect((await get('/v1/live/a')).status).toBe(200);
    for (const path of ['/v1/live/%ff', '/%761/live/a', 'http://h/v1/live/b', '/nothing']) {
      expect([path, (await get(path)).status]).toEqual([path, 429]);
    }
    for (const path of ['/v1/plain', '/v1/plain?q=1', '/%76%31/plain']) {
      expect([path, (await get(path)).status]).toEqual([path, 429]);
    }
  });

  test('error: one request too many, computed or cached', async () => {
    await closeServer(app, 100);
    const rateLimit = { perSecond: 0.001, burst: 3, loopback: true, trustedProxies: [] };
    await start({ http: { rateLimit } });
    expect((await get('/health/live')).status).toBe(200);
    const got = [];
    for (const _ of [1, 2, 3, 4, 5]) got.push(await get('/v1/kept/a'));
    expect(got.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(got[3]!.headers['retry-after']).toMatch(/^(999|1000)$/);
    expect(got[3]!.headers['content-type']).toContain('application/problem+json');
    expect((await get('/health/live')).status).toBe(200);
  });

  test('behavior: large responses use up more of the limit', async () => {
    await closeServer(app, 100);
    const rateLimit = { perSecond: 0.001, burst: 6, loopback: true, trustedProxies: [] };
    const long = 'a'.repeat(3 * BYTES_OF_ONE);
    const routes = [
      route('/v1/kept/{slug}', { families, answer: async () => long }),
      route('/v1/short', { answer: async () => 'a' }),
    ];
    await start({ http: { rateLimit }, routes });
    // Costs four: the request, and three for its size. The second response comes from the cache.
    expect((await get('/v1/kept/a')).status).toBe(200);
    expect((await get('/v1/kept/a')).status).toBe(200);
    expect((await get('/v1/short')).status).toBe(200);
    expect((await get('/v1/short')).status).toBe(429);
  });

  test('behavior: other clients are served before a client above its limit', async () => {
    await closeServer(app, 100);
    const trustedProxies = ['127.0.0.1'];
    const rateLimit = { perSecond: 0.001, burst: 1, loopback: true, trustedProxies };
    await start({ http: { rateLimit } });
    const from = (client: string) => ({ 'x-forwarded-for': client });
    await get('/v1/kept/a', from('192.0.2.1'));
    // Caches the response, so that only the limits decide the order.
    await get('/v1/kept/b', from('192.0.2.3'));
    const order: number[] = [];
    await Promise.all(
      ['192.0.2.1', '192.0.2.1', '192.0.2.2'].map(async (client) => {
        order.push((await get('/v1/kept/b', from(client))).status);
      }),
    );
    expect(order).toEqual([200, 429, 429]);
  });
});
