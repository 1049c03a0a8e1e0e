import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../store/storeUnavailable.ts';
import { closeServer, ListenFailed, listen } from './listen.ts';
import { createServer } from './server.ts';
import type { SourceStatus } from './sourceStatus.ts';
import type { ChainStatus } from './status.ts';

const base: ChainStatus = {
  sources: [],
  chainId: 8453,
  name: 'base',
  state: 'live',
  backfilled: true,
  head: 120,
  finalized: 100,
  indexedBlock: 118,
  lagSeconds: 4,
  lastError: null,
  updatedAt: 1_700_000_011,
};

let statuses: () => Promise<ChainStatus[]>;
let errors: unknown[];
let app: ReturnType<typeof createServer>;
let url: string;
let port: number;

beforeEach(async () => {
  statuses = async () => [base];
  errors = [];
  app = createServer({
    version: '0.1.0',
    getChainStatuses: () => statuses(),
    onError: (error) => errors.push(error),
  });
  port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  url = `http://127.0.0.1:${port}`;
});
afterEach(() => closeServer(app, 1_000));

/** Sends raw bytes and returns all that comes back until the connection ends. */
function raw(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('GET /health/live', () => {
  test('default', async () => {
    statuses = () => Promise.reject(new StoreUnavailable('unreachable'));
    const response = await fetch(`${url}/health/live`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'live' });
  });
});

describe('GET /health/ready', () => {
  test('default', async () => {
    const response = await fetch(`${url}/health/ready`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'ready', chains: [{ name: 'base' }] });
  });

  const family: SourceStatus = {
    ...{ kind: 'family', name: 'svcusd', state: 'current', error: null },
    ...{ families: ['svcusd'], gaps: [] },
  };
  const away: ChainStatus = {
    ...{ ...base, chainId: 1, name: 'ethereum', state: 'unreachable', backfilled: false },
  };

  test('behavior: an unreachable chain is waited for unless a family is complete', async () => {
    statuses = async () => [base, { ...away, sources: [family] }];
    const refused = await fetch(`${url}/health/ready`);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      detail: 'not ready: ethereum cannot be reached',
    });
    const other = { ...family, name: 'other', families: ['other'] };
    statuses = async () => [
      { ...base, sources: [family] },
      { ...away, sources: [other] },
    ];
    const response = await fetch(`${url}/health/ready`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: 'ready',
      missing: [{ chainId: 1, family: null, reason: 'ethereum cannot be reached' }],
    });
  });

  test('behavior: 503 while a chain is backfilled', async () => {
    statuses = async () => [
      base,
      { ...base, name: 'arbitrum', state: 'syncing', backfilled: false },
    ];
    const response = await fetch(`${url}/health/ready`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await response.json()).toMatchObject({
      status: 503,
      detail: 'not ready: arbitrum is at block 118 of 120',
      chains: [{ state: 'live' }, { state: 'syncing', backfilled: false }],
    });
  });

  test('error: no database', async () => {
    statuses = () => Promise.reject(new StoreUnavailable('unreachable'));
    const response = await fetch(`${url}/health/ready`);
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('DATABASE_URL');
  });
});

describe('GET /v1/status', () => {
  test('default', async () => {
    const response = await fetch(`${url}/v1/status`);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toMatchObject({
      chains: [{ chainId: 8453, state: 'live', indexedBlock: '118', lagSeconds: 4 }],
      version: '0.1.0',
    });
  });

  test('behavior: HEAD', async () => {
    const response = await fetch(`${url}/v1/status`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  test('behavior: OPTIONS lets other origins in', async () => {
    const response = await fetch(`${url}/v1/status`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
  });

  test('behavior: query and unknown parameters do not matter', async () => {
    expect((await fetch(`${url}/v1/status?a=1&a=2`)).status).toBe(200);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('error: %s', async (method) => {
    const headers = { 'content-type': 'application/x-unknown' };
    const response = await fetch(`${url}/v1/status`, { method, headers, body: '{' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(await response.json()).toMatchObject({ status: 405 });
  });

  test('error: a server error is a bare 500, and reported', async () => {
    const fault = new Error('select secret from "keys"');
    statuses = () => Promise.reject(fault);
    const response = await fetch(`${url}/v1/status`);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
    });
    expect(errors).toEqual([fault]);
  });
});

describe('createServer', () => {
  test('error: unknown route', async () => {
    for (const path of ['/', '/v1', '/v1/nothing', '/health', '/v1/status/']) {
      const response = await fetch(url + path);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    }
    expect((await fetch(`${url}/v1/nothing`, { method: 'POST' })).status).toBe(404);
  });

  test('error: broken percent encoding', async () => {
    const answer = await raw('GET /v1/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).toContain('application/problem+json');
  });

  test('error: URL too long', async () => {
    const response = await fetch(`${url}/v1/status?${'a'.repeat(9_000)}`);
    expect(response.status).toBe(414);
    expect(await response.json()).toMatchObject({ title: 'URI Too Long' });
  });

  test('error: request line or headers far too large end cleanly', async () => {
    const line = await raw(`GET /v1/${'a'.repeat(2_000_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(line).toMatch(/^HTTP\/1\.1\s431 /);
    const header = await raw(`GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(2_000_000)}\r\n\r\n`);
    expect(header).toMatch(
      /^HTTP\/1\.1\s431 [\s\S]*nosniff[\s\S]*"status":431,"detail":"[^"]+"\}$/,
    );
  });

  test('error: not HTTP, or without Host', async () => {
    for (const text of ['hello\r\n\r\n', 'GET /v1/status HTTP/1.1\r\nConnection: close\r\n\r\n']) {
      expect(await raw(text)).toMatch(/^HTTP\/1\.1\s400 [\s\S]*"status":400,"detail":"[^"]+"/);
    }
    const [, text] = (await raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).split('\r\n\r\n');
    const reason = 'is missing; HTTP/1.1 needs it';
    expect(JSON.parse(text!).errors).toEqual([{ parameter: 'Host', reason }]);
  });
});

describe('listen', () => {
  test('error: port taken', async () => {
    const second = createServer({
      version: '0.1.0',
      getChainStatuses: statuses,
      onError: () => {},
    });
    const target = { host: '127.0.0.1', port, setting: 'PORT or http.port' };
    const failure = await listen(second, target).catch((error: unknown) => error);
    await second.close();
    expect(failure).toBeInstanceOf(ListenFailed);
    expect(failure).toMatchObject({
      code: 'EADDRINUSE',
      message: `port ${port} on 127.0.0.1 is in use; stop the program that uses it, or choose another port with PORT or http.port`,
    });
  });

  test('error: an address of another machine', async () => {
    const second = createServer({
      version: '0.1.0',
      getChainStatuses: statuses,
      onError: () => {},
    });
    const target = { host: '192.0.2.1', port: 0, setting: 'PORT' };
    await expect(listen(second, target)).rejects.toThrow(
      '192.0.2.1 is not an address of this machine',
    );
    await second.close();
  });
});

describe('closeServer', () => {
  test('default: completes requests in progress first', async () => {
    let release: (statuses: ChainStatus[]) => void = () => {};
    let asked: () => void = () => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    statuses = () => {
      asked();
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    const response = fetch(`${url}/v1/status`);
    await arrived;
    const closed = closeServer(app, 5_000);
    release([base]);
    expect((await response).status).toBe(200);
    await closed;
    await expect(fetch(url)).rejects.toThrow();
  });

  test('behavior: a request that never ends is cut off', async () => {
    let asked: () => void = () => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    statuses = () => {
      asked();
      return new Promise(() => {});
    };
    const response = fetch(`${url}/v1/status`).catch(() => 'cut off');
    await arrived;
    await closeServer(app, 10);
    expect(await response).toBe('cut off');
  });
});

describe('many connections', () => {
  /** Opens a connection that has a response and stays open, and returns how it ends. */
  async function openIdle() {
    const socket = connect(port, '127.0.0.1');
    const closed = once(socket, 'close');
    const answered = once(socket, 'data');
    socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
    await answered;
    return { closed };
  }

  test('behavior: idle connections are closed to make room for a new one', async () => {
    expect(app.server.maxConnections).toBe(20_000);
    app.server.maxConnections = 3;
    const idle = [await openIdle(), await openIdle(), await openIdle()];
    await once(
      connect(port, '127.0.0.1').on('error', () => undefined),
      'close',
    );
    await Promise.all(idle.map(({ closed }) => closed));
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
  });
});
