import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY } from '../../domain/time.ts';
import { createMarketData, type MarketDataDeps } from './marketData.ts';
import {
  MarketDataLimited,
  MarketDataMalformed,
  MarketDataRefused,
  MarketDataUnavailable,
} from './marketDataError.ts';

/** The provider's handler for one request. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const KEY = 'hunter2';
let requests: IncomingMessage[];
let waits: number[];
/** The first requests use one handler each, all later ones `rest`. */
let first: Answer[];
let rest: Answer;
const server = createServer((request, response) => {
  requests.push(request);
  (first.shift() ?? rest)(request, response);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);
beforeEach(() => {
  requests = [];
  waits = [];
  first = [];
  rest = body('{}');
});

function client(options: Partial<MarketDataDeps> = {}) {
  const { port } = server.address() as AddressInfo;
  return createMarketData({
    url: `http://127.0.0.1:${port}/api/v3/`,
    apiKey: { header: 'x-cg-pro-api-key', value: KEY },
    random: () => 0.5,
    now: () => 1_700_000_000_000,
    wait: async (ms) => {
      waits.push(ms);
    },
    ...options,
  });
}

function body(text: string, status = 200, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };
}

const USDC = '{"usd-coin":{"usd":0.99987654321098765432,"last_updated_at":1700000000}}';
const PRICE = { value: 99_987_654_321_098_765_432n, decimals: 20, at: 1_700_000_000 };

describe('current', () => {
  test('default', async () => {
    rest = body(USDC);
    expect(await client().current(['usd-coin'])).toEqual(new Map([['usd-coin', PRICE]]));
    expect(requests).toHaveLength(1);
    expect(requests[0]?.url).toBe(
      '/api/v3/simple/price?ids=usd-coin&vs_currencies=usd&include_last_updated_at=true&precision=full',
    );
    expect(requests[0]?.headers['x-cg-pro-api-key']).toBe(KEY);
  });

  test('behavior: exponents', async () => {
    rest = body('{"a":{"usd":1.0002e-7,"last_updated_at":1700000000.7}}');
    const expected = { value: 10_002n, decimals: 11, at: 1_700_000_000 };
    expect((await client().current(['a'])).get('a')).toEqual(expected);
  });

  test('behavior: no price is absent, never zero', async () => {
    rest = body(`{"zero":{"usd":0,"last_updated_at":1},"less":{"usd":-1,"last_updated_at":1},
      "null":{"usd":null,"last_updated_at":1},"text":{"usd":"1.5","last_updated_at":1},
      "untimed":{"usd":1},"empty":{},"huge":{"usd":1e99,"last_updated_at":1},"nothing":null}`);
    const ids = ['zero', 'less', 'null', 'text', 'untimed', 'empty', 'huge', 'nothing', 'unknown'];
    expect(await client().current([...ids, 'constructor'])).toEqual(new Map());
  });

  test('behavior: ids in batches, each once', async () => {
    rest = (request, response) => {
      const ids = new URL(request.url ?? '', 'http://a').searchParams.get('ids')?.split(',') ?? [];
      const prices = ids.map((id) => [id, { usd: 2, last_updated_at: 1_700_000_000 }]);
      response.end(JSON.stringify(Object.fromEntries(prices)));
    };
    const ids = Array.from({ length: 250 }, (_, i) => `coin-${i}`);
    const prices = await client().current([...ids, ...ids]);
    expect(prices.size).toBe(250);
    expect(requests).toHaveLength(3);
  });

  test('behavior: sends no request for an empty range', async () => {
    expect(await client().current([])).toEqual(new Map());
    expect(requests).toEqual([]);
  });

  test('behavior: credentials and parameters of the URL', async () => {
    rest = body(USDC);
    const { port } = server.address() as AddressInfo;
    const url = `http://me:p%40ss@127.0.0.1:${port}?key=k`;
    expect((await client({ url }).current(['usd-coin'])).size).toBe(1);
    expect(requests[0]?.headers.authorization).toBe(`Basic ${btoa('me:p@ss')}`);
    expect(requests[0]?.url).toMatch(/^\/simple\/price\?ids=.*&key=k$/);
  });

  test('behavior: temporary failures are retried, with growing pauses', async () => {
    first = [body('busy', 503), (request) => request.socket.destroy(), body('{"usd-co')];
    rest = body(USDC);
    expect((await client().current(['usd-coin'])).size).toBe(1);
    expect(waits).toEqual([500, 1000, 2000]);
  });

  test('behavior: Retry-After in seconds and as a date', async () => {
    first = [
      body('', 429, { 'retry-after': '7' }),
      body('', 429, { 'retry-after': 'Tue, 14 Nov 2023 22:13:32 GMT' }),
      body('', 429),
    ];
    rest = body(USDC);
    expect((await client().current(['usd-coin'])).size).toBe(1);
    expect(waits).toEqual([7_000, 12_000, 2_000]);
  });

  test('error: a longer limit is left to the caller', async () => {
    rest = body('', 429, { 'retry-after': '3600' });
    const failure = await client()
      .current(['a'])
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MarketDataLimited);
    expect(failure).toMatchObject({ retryAfterSeconds: 3600, retry: true });
    expect(requests).toHaveLength(1);
  });

  test('error: a server that keeps failing', async () => {
    rest = body(`key ${KEY}`, 500);
    const failure = await client()
      .current(['a'])
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MarketDataUnavailable);
    expect(failure).toMatchObject({ reason: 'status', status: 500 });
    expect(requests).toHaveLength(4);
  });

  test('error: a timeout', async () => {
    rest = () => {};
    const failure = await client({ timeoutMs: 50, attempts: 2 })
      .current(['a'])
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'MarketDataUnavailable', reason: 'timeout' });
    expect(requests).toHaveLength(2);
  });

  test('error: unreachable', async () => {
    const url = 'http://127.0.0.1:1/v3';
    const failure = await client({ url })
      .current(['a'])
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'MarketDataUnavailable', reason: 'connection' });
    expect(String(failure)).not.toContain('127.0.0.1');
  });

  test.each([
    ['HTML', '<html>'],
    ['a list', '[]'],
    ['a word', '"usd"'],
    ['NaN', '{"a":{"usd":NaN}}'],
  ])('error: %s instead of prices', async (_, text) => {
    rest = body(text);
    await expect(client().current(['a'])).rejects.toBeInstanceOf(MarketDataMalformed);
  });

  test.each([401, 403, 404, 422])('error: HTTP %d is not retried', async (status) => {
    rest = body(`{"error":"${KEY}"}`, status);
    const failure = await client()
      .current(['a'])
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MarketDataRefused);
    expect(String(failure)).not.toContain(KEY);
    expect(requests).toHaveLength(1);
  });

  test('error: a caller that aborts ends the wait', async () => {
    rest = body('', 503);
    const controller = new AbortController();
    const wait = async () => controller.abort();
    await expect(client({ wait }).current(['a'], controller.signal)).rejects.toBeInstanceOf(
      MarketDataUnavailable,
    );
    expect(requests.length).toBeLessThan(3);
  });
});

describe('range', () => {
  const from = 1_600_000_000;

  test('default', async () => {
    rest = body(
      `{"prices":[[${from}500,1.5],[${from + 60}000,1e-3]],"market_caps":[],"total_volumes":[]}`,
    );
    expect(await client().range('usd coin', from, from + 100)).toEqual([
      { at: from, value: 15n, decimals: 1 },
      { at: from + 60, value: 1n, decimals: 3 },
    ]);
    expect(requests[0]?.url).toBe(
      `/api/v3/coins/usd%20coin/market_chart/range?vs_currency=usd&from=${from}&to=${from + 100}&precision=full`,
    );
  });

  test('behavior: sorted, one per second, nothing outside, no price of zero', async () => {
    const points = [
      [from + 50, 2],
      [from + 10, 1],
      [from + 50, 3],
      [from - 1, 4],
      [from + 101, 5],
      [from + 20, 0],
      [from + 30, null],
    ];
    const prices = points.map(([at, price]) => [at! * 1000, price]);
    rest = body(JSON.stringify({ prices }));
    expect(await client().range('a', from, from + 100)).toEqual([
      { at: from + 10, value: 1n, decimals: 0 },
      { at: from + 50, value: 3n, decimals: 0 },
    ]);
  });

  test('behavior: a long range in parts of at most 90 days, without gap or overlap', async () => {
    rest = body('{"prices":[]}');
    expect(await client().range('a', from, from + 200 * DAY)).toEqual([]);
    const parts = requests.map(({ url }) => new URL(url ?? '', 'http://a').searchParams);
    expect(parts.map((part) => [Number(part.get('from')), Number(part.get('to'))])).toEqual([
      [from, from + 90 * DAY - 1],
      [from + 90 * DAY, from + 180 * DAY - 1],
      [from + 180 * DAY, from + 200 * DAY],
    ]);
  });

  test.each(['{}', '{"prices":{}}', '{"prices":[1]}'])('error: %s', async (text) => {
    rest = body(text);
    await expect(client().range('a', from, from + 1)).rejects.toBeInstanceOf(MarketDataMalformed);
  });
});
