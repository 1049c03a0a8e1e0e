import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { watchStaleData } from '../../dashboard/test/outages.ts';
import { step } from '../../devnet/src/index.ts';
import { openChromium } from '../../scripts/chromium.ts';
import { freePort } from './freePort.ts';
import { ensurePostgres, type PostgresProcess } from './postgresServer.ts';
import { type RunningApp, startTestApp, statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld } from './world.ts';

let served: ServedWorld;
let folder: string;
let primary: PostgresProcess;
let replica: PostgresProcess;
let metricsPort: number;
const apps: RunningApp[] = [];
beforeAll(async () => {
  served = await serveWorld({ seed: 'primary-away' });
  folder = await mkdtemp(join(tmpdir(), 'assay-away-'));
  primary = await ensurePostgres();
  replica = await primary.startReplica();
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
});
afterAll(async () => {
  await replica?.stop();
  await primary?.stop();
  await served?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

describe.sequential('the primary is down', () => {
  test('behavior: free routes are served from the replica, and each process logs the outage once', async () => {
    const indexer = await start({ serve: false, index: true });
    metricsPort = await freePort();
    const server = await start({ serve: true, index: false }, { metricsPort });
    const both = await start({ serve: true, index: true });
    await server.until(statusLiveAt(served.heads()));
    const { slug } = served.config().families[0]!;
    const first = await read(server, '/v1/history?limit=2');
    const { nextCursor } = JSON.parse(first.body) as { nextCursor: string };
    const paths = [
      '/v1/vaults',
      `/v1/vaults/${slug}`,
      '/v1/history?limit=2',
      `/v1/history?limit=2&cursor=${encodeURIComponent(nextCursor)}`,
    ];
    const before = await Promise.all(paths.map((path) => read(server, path)));
    for (const { age, cache } of before) expect([age, cache]).toEqual([null, 'public, max-age=5']);
    expect(await readDatabase(server)).toEqual({ state: 'available', reason: null, since: null });

    await primary.halt('fast');
    await expect.poll(() => readDatabase(server)).toMatchObject({ state: 'stale' });
    for (const [i, path] of paths.entries()) {
      const { status, age, cache, body, etag } = await read(server, path);
      expect([status, cache, body]).toEqual([200, 'no-cache', before[i]!.body]);
      expect(Number(age)).toBeGreaterThan(0);
      // The client's cached copy is this data, so its age applies to it too.
      const known = await read(server, path, { 'if-none-match': before[i]!.etag! });
      expect([known.status, Number(known.age) > 0, known.etag]).toEqual([304, true, etag]);
    }
    const ready = await read(server, '/health/ready');
    expect(ready.status).toBe(200);
    expect(JSON.parse(ready.body).database).toMatchObject({
      state: 'stale',
      reason: expect.stringMatching(/^the (database|connection to the database) /),
    });
    expect((await read(server, '/health/live')).age).toBeNull();
    const metrics = await readMetrics();
    expect(metrics).toMatch(/^assay_store_up 0$/m);
    expect(metrics).toMatch(/^assay_store_outage\{reason="[a-z-]+"\} 1$/m);
    // By then, every loop has failed more than once.
    const failures = async () =>
      Number(/^assay_limit_exchange_failures_total (\d+)$/m.exec(await readMetrics())?.[1]);
    await expect.poll(failures).toBeGreaterThan(7);

    await primary.start();
    await expect.poll(() => readDatabase(server)).toMatchObject({ state: 'available' });
    for (const path of paths) {
      const { age, cache } = await read(server, path);
      expect([age, cache]).toEqual([null, 'public, max-age=5']);
    }
    for (const { chainId, chain } of served.world.chains) {
      await step(served.world, chainId, chain.tip.time + 400);
    }
    await server.until(statusLiveAt(served.heads()));
    for (const app of [indexer, server, both]) {
      await expect.poll(() => outageLines(app)).toHaveLength(2);
      expect(outageLines(app)).toEqual([
        { level: 'warn', outage: expect.any(String), msg: expect.stringContaining('database') },
        { level: 'info', outage: expect.any(String), msg: 'the database is available again' },
      ]);
      expect(complaints(app)).toEqual([expect.stringContaining('"outage"')]);
    }
  });

  test('behavior: the dashboard says since when the data is stale', async () => {
    const server = await start({ serve: true, index: false });
    await server.until(statusLiveAt(served.heads()));
    const browser = await openChromium();
    try {
      await watchStaleData(browser, server.url, {
        async stop() {
          await primary.halt('fast');
          await expect.poll(() => readDatabase(server)).toMatchObject({ state: 'stale' });
          return ((await readDatabase(server)) as { since: string }).since;
        },
        start: () => primary.start(),
      });
    } finally {
      await browser.close();
    }
    await expect.poll(() => readDatabase(server)).toMatchObject({ state: 'available' });
  });

  test.each([
    { name: 'after the configured time', maxStaleSeconds: 2 },
    { name: 'switched off', maxStaleSeconds: 0 },
  ])('error: $name all reads are 503', async ({ maxStaleSeconds }) => {
    const server = await start({ serve: true, index: false }, {}, maxStaleSeconds);
    await server.until(statusLiveAt(served.heads()));
    await primary.halt('fast');
    const isOut = async () => {
      const answers = await Promise.all(
        ['/v1/vaults', '/v1/status', '/health/ready'].map((path) => read(server, path)),
      );
      return answers.every(({ status }) => status === 503);
    };
    await expect.poll(isOut).toBe(true);
    const { age, body } = await read(server, '/v1/vaults');
    expect(age).toBeNull();
    expect(JSON.parse(body)).toEqual({
      ...{ type: 'about:blank', title: 'Service Unavailable', status: 503 },
      detail: 'the database is temporarily unavailable; try again soon',
    });
    await primary.start();
    await expect.poll(async () => (await read(server, '/v1/vaults')).status).toBe(200);
  });
});

async function start(
  does: { serve: boolean; index: boolean },
  http: { metricsPort?: number } = {},
  maxStaleSeconds = 300,
): Promise<RunningApp> {
  const config = served.config();
  const store = { folder, databaseUrl: primary.url, replicaUrl: replica.url, maxStaleSeconds };
  const app = await startTestApp(
    { ...config, http: { ...config.http, ...http } },
    store,
    undefined,
    does,
  );
  apps.push(app);
  return app;
}

async function read(app: RunningApp, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.url + path, { headers });
  return {
    status: response.status,
    age: response.headers.get('age'),
    cache: response.headers.get('cache-control'),
    etag: response.headers.get('etag'),
    body: await response.text(),
  };
}

async function readMetrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
}

async function readDatabase(app: RunningApp): Promise<unknown> {
  const { status, body } = await read(app, '/v1/status');
  return status === 200 ? JSON.parse(body).database : undefined;
}

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly outage?: string;
}

function linesOf(app: RunningApp): Line[] {
  const lines = app.logs().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Line);
}

function outageLines(app: RunningApp): Line[] {
  return linesOf(app).flatMap(({ level, msg, outage }) =>
    outage === undefined ? [] : [{ level, outage, msg }],
  );
}

/** TVL jumps of the test chains are unrelated to the database. */
function complaints(app: RunningApp): string[] {
  return linesOf(app)
    .filter(({ level, msg }) => /warn|error/.test(level) && !msg.startsWith('TVL jumped'))
    .map((line) => JSON.stringify(line));
}
