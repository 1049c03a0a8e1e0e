import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../../../scripts/test/extents.mjs';
import { type Answer, createAnswerCheck } from '../../test/answers.ts';
import { describeAnyEngine } from '../../test/database.ts';
import { liveAt, startIndexing } from '../../test/indexing.ts';
import { changedAt, type OddRequest, oddRequests, wrongChecksum } from '../../test/oddRequests.ts';
import { readRows, type TableRows } from '../../test/tableRows.ts';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import type { Config } from '../config/config.ts';
import { apiRoutes } from './apiRoutes.ts';
import { closeServer, listen } from './listen.ts';
import type { Route } from './route.ts';
import { createServer } from './server.ts';
import { createStatusReader } from './status.ts';
import { createLiveChains, type LiveChains } from './vault/liveChains.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_261_115);
/** Per engine; the long run makes 100,000 requests on both together. */
const REQUESTS = LONG ? 55_000 : 1_000;
/** Concurrent requests. One of them goes through a socket, the others directly into the server. */
const AT_ONCE = 25;
/** A longer URL is rejected for its length alone. */
const LONGEST_URL = 8_192;

let served: ServedWorld;
let config: Config;
beforeAll(async () => {
  served = await serveWorld({ seed: `odd ${SEED}` });
  config = { ...served.config(), embed: { frameAncestors: ['https://example.com'] } };
});
afterAll(() => served?.close());

describeAnyEngine(`odd requests (seed ${SEED})`, (open) => {
  const check = createAnswerCheck();
  const errors: unknown[] = [];
  let routes: Route[];
  let app: FastifyInstance;
  let chains: LiveChains;
  let port: number;
  let wallets: string[];
  let before: TableRows;

  beforeAll(async () => {
    const store = await open();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    chains = createLiveChains(config);
    routes = apiRoutes({ config, store, chains, cursorKey: '0x09' });
    const now = () => Math.floor(Date.now() / 1000);
    app = createServer({
      version: '1',
      getChainStatuses: createStatusReader({ store, config, now }),
      onError: (error) => errors.push(error),
      routes,
      http: config.http,
    });
    port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    wallets = served.world.wallets.slice(0, 8).map(({ address }) => address);
    before = await readRows(store);
    expect(before.history?.length).toBeGreaterThan(20);
  });
  afterAll(async () => {
    chains?.close();
    if (app) await closeServer(app, 1_000);
  });

  /** Sends directly into the server, without a socket. */
  async function inject({ method, url, headers }: Asked): Promise<Answer> {
    const response = await app.inject({ method: method as 'GET', url, headers });
    return {
      method,
      url,
      status: response.statusCode,
      contentType: textOf(response.headers['content-type']),
      // Only a socket shows that a HEAD response has no body.
      body:
        method === 'HEAD'
          ? ''
          : decoded(response.rawPayload, textOf(response.headers['content-encoding'])),
    };
  }

  const overSocket = (asked: Asked) => send(port, asked);

  async function cursorOf(query: string): Promise<string> {
    const { body } = await inject({
      method: 'GET',
      url: `/v1/history?limit=1${query}`,
      headers: {},
    });
    return (JSON.parse(body) as { nextCursor: string }).nextCursor;
  }

  test('error: no request to any route causes a server error or a change', async () => {
    const known = {
      slugs: config.families.map(({ slug }) => slug),
      wallets,
      chainIds: config.chains.map(({ chainId }) => chainId),
      cursors: [
        await cursorOf(''),
        await cursorOf('&type=deposit'),
        await cursorOf('&chainId=8453'),
      ],
    };
    const paths = new Set<string>();
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(oddRequests(routes, known), { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (batch) => {
          const answers = await Promise.all(
            batch.map((asked, i) => (i === 0 ? overSocket(asked) : inject(asked))),
          );
          for (const [i, answer] of answers.entries()) {
            judge(batch[i]!, answer);
            paths.add(answer.url.split('?')[0]!);
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          }
        },
      ),
      { numRuns: Math.ceil(REQUESTS / AT_ONCE), seed: SEED, endOnFailure: true, reporter },
    );
    expect(errors).toEqual([]);
    // The generator covers these statuses.
    for (const status of [200, 400, 404, 405, 410, 414])
      expect(statuses.get(status), `${status}`).toBeGreaterThan(0);
    for (const { path } of routes) {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      expect(
        [...paths].some((asked) => pattern.test(asked)),
        path,
      ).toBe(true);
    }
    expect(await readRows(await open())).toEqual(before);
  }, 1_800_000);

  function judge({ method, url, is }: OddRequest, answer: Answer): void {
    const shown = `${method} ${url.slice(0, 300)}: ${answer.status} ${answer.body.slice(0, 200)}`;
    expect(answer.status, shown).toBeLessThan(500);
    const documented = { ...answer, url: withoutGaps(answer.url) };
    expect(check(documented), shown).toEqual([]);
    if (url.length > LONGEST_URL) {
      expect([400, 405, 414, 431], shown).toContain(answer.status);
    } else if (method !== 'GET' && method !== 'HEAD') {
      expect([400, 404, 405], shown).toContain(answer.status);
    } else if (is === 'bad') {
      expect(answer.status, shown).toBe(400);
    } else if (is === 'good') {
      expect([200, 304, 410], shown).toContain(answer.status);
    }
  }

  test('error: bytes that do not form a URL', async () => {
    const bytes = fc.string({ unit: 'binary', maxLength: 200 });
    const path = fc.constantFrom('/v1/history', '/v1/vaults/', '/docs', '/api/v1/vault/base/', '');
    await fc.assert(
      fc.asyncProperty(path, bytes, async (start, rest) => {
        // A line break would end the request line early and start another request.
        const url = start + rest.replaceAll(/[\r\n]/g, '');
        const { status, body, contentType } = await overSocket({ method: 'GET', url, headers: {} });
        expect(status, JSON.stringify(url)).toBeGreaterThanOrEqual(200);
        expect(status, JSON.stringify(url)).toBeLessThan(500);
        if (status < 400) return;
        expect(contentType).toMatch('application/problem+json');
        expect(JSON.parse(body)).toMatchObject({ status });
      }),
      { numRuns: LONG ? 2_000 : 60, seed: SEED, endOnFailure: true, reporter },
    );
    expect(errors).toEqual([]);
  }, 600_000);

  test('error: 100 KB of query is rejected by every route', async () => {
    const query = `?x=${'z'.repeat(100_000)}`;
    const paths = routes.map(({ path }) => path.replaceAll(/\{\w+\}/g, 'svcusd'));
    for (const path of [
      ...paths,
      '/openapi.json',
      '/docs',
      '/v1/status',
      '/health/live',
      '/none',
    ]) {
      const { status } = await overSocket({ method: 'GET', url: path + query, headers: {} });
      expect([414, 431], path).toContain(status);
    }
  });

  test('error: each kind of bad input is named with its reason', async () => {
    const cursor = await cursorOf('');
    const wrong = wrongChecksum(wallets[0]!);
    const tables: [string, string, string][] = [
      ...SERIES.map(([query, parameter, reason]): [string, string, string] => [
        `/v1/vaults/svcusd/timeseries/apy?${query}`,
        parameter,
        reason,
      ]),
      ...HISTORY.map(([query, parameter, reason]): [string, string, string] => [
        `/v1/history?${query}`,
        parameter,
        reason,
      ]),
      [`/v1/history?user=${wrong}`, 'user', WRONG_CHECKSUM],
      [`/v1/performance/${wrong}`, 'walletAddress', WRONG_CHECKSUM],
      [`/v1/users/${wrong}/pending-redeems`, 'walletAddress', WRONG_CHECKSUM],
      [`/v1/vaults?baseAsset=${wrong}`, 'baseAsset', WRONG_CHECKSUM],
      [`/v1/performance/${wallets[0]!.slice(0, 41)}`, 'walletAddress', NO_ADDRESS],
      ['/v1/users/0x12/pending-redeems', 'walletAddress', NO_ADDRESS],
      [`/v1/users/${wrong}/pending-deposits`, 'walletAddress', WRONG_CHECKSUM],
      ['/v1/vaults?chainId=0', 'chainId', 'must be an integer from 1 to 999999999999999'],
      ['/v1/vaults?baseAsset=', 'baseAsset', EMPTY],
      [`/v1/history?cursor=${changedAt(cursor, 3)}`, 'cursor', FOREIGN_CURSOR],
      [`/v1/history?cursor=${changedAt(cursor, cursor.length - 1)}`, 'cursor', FOREIGN_CURSOR],
      [`/v1/history?cursor=${cursor}&type=deposit`, 'cursor', FOREIGN_CURSOR],
      [`/v1/history?cursor=${cursor}&chainId=1`, 'cursor', FOREIGN_CURSOR],
      [`/v1/history?cursor=${cursor}&family=svcusd`, 'cursor', FOREIGN_CURSOR],
      [`/v1/history?cursor=${cursor}&period=30d`, 'cursor', FOREIGN_CURSOR],
      [`/v1/history?cursor=${cursor}&user=${wallets[0]}`, 'cursor', FOREIGN_CURSOR],
      ['/v1/vaults/sv%00', 'slug', NULL],
      ['/v1/users/%00/pending-redeems', 'walletAddress', NULL],
      ['/api/v1/vault/base/%00', 'vaultAddress', NULL],
    ];
    for (const [url, parameter, reason] of tables) {
      const answer = await overSocket({ method: 'GET', url, headers: {} });
      expect(check(answer), url).toEqual([]);
      expect(JSON.parse(answer.body), url).toEqual({
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: `${parameter} ${reason}`,
        errors: [{ parameter, reason }],
      });
    }
  });

  test('error: all invalid parameters are reported at once', async () => {
    const url = '/v1/history?limit=0&period=2d&user=0x1&type=mint';
    const { body } = await overSocket({ method: 'GET', url, headers: {} });
    const { errors } = JSON.parse(body) as { errors: { parameter: string }[] };
    expect(errors.map(({ parameter }) => parameter)).toEqual(['type', 'user', 'period', 'limit']);
  });
});

const EMPTY = 'is empty; omit it or set a value';
const TWICE = 'is given more than once; send it once';
const NULL = 'must not contain a null character';
const UNENCODED = 'is not percent-encoded UTF-8';
const NO_ADDRESS = 'must be an address: 0x and 40 hexadecimal digits';
const WRONG_CHECKSUM = 'has an invalid checksum: check it, or write it in lower case';
const NO_ZONE = 'has no zone: end it with Z or an offset such as +02:00';
const NO_OFFSET = 'has an offset out of range: from -23:59 to +23:59';
const NO_TIME = 'has an invalid time: hours go to 23, minutes and seconds to 59';
const NO_INSTANT =
  'must be a date (2026-01-31) or a date-time with a zone (2026-01-31T12:00:00Z or …+02:00)';
const SERIES_LIMITS = 'must be an integer from 1 to 5000';
const HISTORY_LIMITS = 'must be an integer from 1 to 500';
const FOREIGN_CURSOR =
  'is not a nextCursor of this server for these filters: pass it unchanged, with the filters of the first page';
const NO_TYPE = 'must be one of deposit, withdraw, redeem, cancel, large-deposit';

/** Query, parameter, and reason. */
const SERIES: readonly (readonly [string, string, string])[] = [
  ['from=2026-02-30', 'from', 'has a date that does not exist: 2026-02-30'],
  ['to=2025-02-29', 'to', 'has a date that does not exist: 2025-02-29'],
  ['to=2026-13-01T00:00:00Z', 'to', 'has a date that does not exist: 2026-13-01'],
  ['from=1969-12-31', 'from', 'has a year out of range: 1970 to 9999'],
  ['from=2026-01-31T24:00:00Z', 'from', NO_TIME],
  ['from=2026-01-31T12:00:00%2B24:00', 'from', NO_OFFSET],
  ['from=2026-01-31T12:00:00-02:60', 'from', NO_OFFSET],
  ['from=2026-01-31T12:00:00', 'from', NO_ZONE],
  ['to=2026-01-31T12:00', 'to', NO_ZONE],
  ['from=yesterday', 'from', NO_INSTANT],
  ['from=1e3', 'from', NO_INSTANT],
  ['from=2026-02-02&to=2026-02-01', 'from', 'must not be after to'],
  ['from=2026-02-02T00:00:01Z&to=2026-02-02T01:00:00%2B01:00', 'from', 'must not be after to'],
  ...['0', '5001', '1.5', '1e3', '-1', '%201', '0x1'].map(
    (limit) => [`limit=${limit}`, 'limit', SERIES_LIMITS] as const,
  ),
  ['limit=', 'limit', EMPTY],
  ['limit', 'limit', EMPTY],
  ['from=', 'from', EMPTY],
  ['interval=', 'interval', EMPTY],
  ['limit=1&limit=1', 'limit', TWICE],
  ['from=2026-01-01&from=2026-01-01', 'from', TWICE],
  ['interval=week', 'interval', 'must be one of raw, hour, day'],
  ['interval=Day', 'interval', 'must be one of raw, hour, day'],
  ['interval=day%00', 'interval', NULL],
  ['from=%c3%28', 'from', UNENCODED],
];

const HISTORY: readonly (readonly [string, string, string])[] = [
  ...['0', '501', '1.5', '1e3', '-1'].map(
    (limit) => [`limit=${limit}`, 'limit', HISTORY_LIMITS] as const,
  ),
  ['type=mint', 'type', NO_TYPE],
  ['type=Deposit', 'type', NO_TYPE],
  [
    'type=large-deposit',
    'type',
    'large-deposit needs family: set it to the slug of one vault family',
  ],
  ['period=2d', 'period', 'must be one of 1d, 7d, 30d'],
  ['period=', 'period', EMPTY],
  ['family=', 'family', EMPTY],
  ['family=svcusd&family=svcusd', 'family', TWICE],
  ['family=%00', 'family', NULL],
  ['cursor=', 'cursor', EMPTY],
  ['cursor=abc', 'cursor', FOREIGN_CURSOR],
  ['user=0x12', 'user', NO_ADDRESS],
  ['user=%F0%9F%98%80', 'user', NO_ADDRESS],
  ['user=%', 'user', UNENCODED],
  ['chainId=1.5', 'chainId', 'must be an integer from 1 to 999999999999999'],
];

/** Shows only the failed request, because the complete batch would fill screens. */
function reporter({
  failed,
  errorInstance,
}: Pick<fc.RunDetails<never>, 'failed' | 'errorInstance'>): void {
  if (failed) throw errorInstance;
}

type Asked = Omit<OddRequest, 'is'>;

/** Sends one request on a new connection, byte by byte. */
function send(port: number, { method, url, headers }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => {
      const whole = Buffer.concat(parts);
      const end = whole.indexOf('\r\n\r\n');
      if (end === -1) return reject(new Error(`no answer to ${JSON.stringify(url.slice(0, 200))}`));
      const [first, ...lines] = whole.subarray(0, end).toString('latin1').split('\r\n');
      const sent = new Map(lines.map((line) => splitAt(line, ': ')));
      resolve({
        method,
        url,
        status: Number(first!.split(' ')[1]),
        contentType: sent.get('content-type') ?? null,
        body: decoded(whole.subarray(end + 4), sent.get('content-encoding') ?? null),
      });
    });
    const lines = Object.entries({ ...headers, host: 'localhost', connection: 'close' });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(Buffer.from(`${method} ${url} HTTP/1.1\r\n${head}\r\n`, 'utf8'));
  });
}

/** An empty segment between two slashes is a parameter too, but the document's pattern requires a character there. */
function withoutGaps(url: string): string {
  const [path, ...query] = url.split('?');
  return [path!.replaceAll(/\/(?=\/|$)/g, '/-'), ...query].join('?');
}

function splitAt(line: string, mark: string): [string, string] {
  const at = line.indexOf(mark);
  return [line.slice(0, at).toLowerCase(), line.slice(at + mark.length)];
}

function decoded(bytes: Buffer, encoding: string | null): string {
  if (bytes.length === 0) return '';
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

function textOf(header: unknown): string | null {
  return header === undefined ? null : String(header);
}
