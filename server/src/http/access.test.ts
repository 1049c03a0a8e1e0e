import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeServer, listen } from './listen.ts';
import { NotFound } from './problem.ts';
import type { Access, Route } from './route.ts';
import { createServer } from './server.ts';

let app: ReturnType<typeof createServer>;
let url: string;
let made = 0;

function route(path: string, access: Access, more: Partial<Route> = {}): Route {
  return {
    path,
    access,
    operationId: path,
    summary: '',
    description: '',
    tag: 'service',
    parameters: [],
    response: Type.Unknown(),
    responseExample: null,
    problems: [],
    maxAge: 0,
    async answer({ path: { name } }) {
      made += 1;
      if (name === 'none') throw new NotFound('there is none');
      return `made ${made}`;
    },
    ...more,
  };
}

beforeAll(async () => {
  app = createServer({
    version: '1',
    getChainStatuses: async () => [],
    onError: () => {},
    http: { rateLimit: { perSecond: 0.001, burst: 20, loopback: true, trustedProxies: [] } },
    routes: [
      route('/anywhere', 'open'),
      route('/watch', 'probe'),
      route('/watch/{name}', 'probe'),
      route('/sold', 'paid'),
      route('/page/{name}', 'open', { fixed: true, maxAge: 300, mediaType: 'text/html' }),
    ],
  });
  url = `http://127.0.0.1:${await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' })}`;
});
afterAll(() => closeServer(app, 1_000));

async function ask(path: string, init: RequestInit = {}) {
  const { status, headers } = await fetch(url + path, init);
  return { status, headers };
}

describe('access', () => {
  test('default: each route decides whether pages of other origins may read it', async () => {
    const open = await ask('/anywhere');
    expect(open.headers.get('access-control-allow-origin')).toBe('*');
    expect(open.headers.get('cache-control')).toBe('no-store');
    expect(open.headers.get('etag')).toBeNull();
    const preflight = await ask('/anywhere', { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
    for (const [path, method] of [
      ['/watch', 'GET'],
      ['/watch', 'OPTIONS'],
      ['/watch', 'POST'],
      ['/watch/none', 'GET'],
    ] as const) {
      const { headers } = await ask(path, { method });
      expect(headers.get('access-control-allow-origin'), `${method} ${path}`).toBeNull();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('behavior: a static page is built once, regardless of its query', async () => {
    const before = made;
    for (const path of ['/page/a', '/page/a?b=1', '/page/%61', '/page/b', '/page/b']) {
      const { headers } = await ask(path);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('etag')).toMatch(/^"/);
    }
    expect(made - before).toBe(2);
    for (const _ of [1, 2]) expect((await ask('/page/none')).status).toBe(404);
    expect(made - before).toBe(4);
  });

  test('behavior: a server without payments serves no paid route', async () => {
    expect((await ask('/sold')).status).toBe(404);
    const document = await (await fetch(`${url}/openapi.json`)).text();
    expect(document).not.toContain('/sold');
  });

  test('error: one request too many is rejected, but never a probe', async () => {
    for (let i = 0; i < 30; i++) await ask('/anywhere');
    for (const path of ['/anywhere', '/page/a', '/nothing', '/v1/status', '/docs']) {
      const { status, headers } = await ask(path);
      expect(status, path).toBe(429);
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
    for (const path of ['/watch', '/watch/a', '/watch?a=1', '/health/live', '/health/ready']) {
      expect((await ask(path)).status, path).toBe(200);
    }
  });
});
