import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import { pause } from '../src/runtime/pause.ts';
import { type AssayProcess, startAssay } from './assayProcess.ts';
import { type Child, startChild } from './childProcess.ts';
import type { AttackOptions } from './children/attack.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { freePort } from './freePort.ts';
import { ask } from './production/readers.ts';
import { statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld, type WorldFile } from './world.ts';

/** Number of idle connections. Some systems limit a process to 1,024 in total. */
const IDLE = LONG ? 10_000 : 400;
const SLOW = 100;
/** Number of connections that request much and read nothing, when tested alone. */
const UNREAD = LONG ? 10_000 : 400;
/** Number of connections that send thousands of requests at once. Without a limit, each would hold 6 MB. */
const AHEAD = LONG ? 1_000 : 100;
/** Two thousand requests take only two seconds, so a single hiccup of the machine would decide the result. */
const MEASURED = LONG ? 10_000 : 200;
const PATHS = [
  '/v1/vaults',
  '/v1/vaults/svcusd',
  '/v1/history?family=svcusd&limit=20',
  '/v1/status',
];
/** The most expensive request that no cache can serve. */
const HEAVY = '/v1/vaults/svcusd/timeseries/allocation?interval=raw&limit=1000';

let served: ServedWorld;
let folder: string;
let database: TestDatabase;
let assay: AssayProcess;
let port: number;
let adminPort: number;
let attackers: Child | undefined;
beforeAll(async () => {
  served = await serveWorld({ seed: 'attack' });
  folder = await mkdtemp(join(tmpdir(), 'assay-attack-'));
  const config = join(folder, 'assay.yaml');
  await writeFile(config, served.yaml({ edit: behindProxy }));
  database = await createDatabase('postgres');
  const env = { DATABASE_URL: database.config.databaseUrl! };
  adminPort = await freePort();
  assay = startAssay('start', config, { ...env, PORT: '0', ADMIN_PORT: String(adminPort) });
  port = await assay.port;
  const end = performance.now() + 100_000;
  for (;;) {
    const reply = await ask(`http://127.0.0.1:${port}/v1/status`);
    if (statusLiveAt(served.heads())(JSON.parse(reply?.body ?? '{"chains":[]}').chains)) break;
    if (performance.now() > end) throw new Error(`still not there: ${reply?.body}`);
    await pause(200);
  }
});
afterEach(() => attackers?.kill());
afterAll(async () => {
  await assay?.kill();
  await database?.drop();
  await served?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

/** Identifies clients by the proxy's header, as in a deployment behind a proxy. */
function behindProxy({ http }: WorldFile): void {
  Object.assign(http, { rateLimit: { loopback: true, trustedProxies: ['127.0.0.1'] } });
}

/** Measures the latency of honest clients, four at a time: median and 99th percentile in milliseconds. */
async function measure(): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async (_, client) => {
      for (let i = 0; i < MEASURED / 4; i++) {
        const path = PATHS[(i + client) % PATHS.length]!;
        const began = performance.now();
        // Each request comes from another client.
        const from = `198.51.${100 + client}.${i % 250}`;
        const reply = await ask(`http://127.0.0.1:${port}${path}`, { 'x-forwarded-for': from });
        times.push(performance.now() - began);
        expect(reply?.status, path).toBe(200);
      }
    }),
  );
  times.sort((a, b) => a - b);
  return {
    p50: times[Math.floor(times.length / 2)]!,
    p99: times[Math.floor(times.length * 0.99)]!,
  };
}

/** Returns the number of connections that the server closed for these reasons. */
async function countEnded(...reasons: ('stalled' | 'pipelined')[]): Promise<number> {
  const reply = await ask(`http://127.0.0.1:${adminPort}/metrics`);
  const counts = reasons.map((reason) => {
    const line = `assay_http_connections_ended_total\\{reason="${reason}"\\} (\\d+)$`;
    return Number(new RegExp(`^${line}`, 'm').exec(reply?.body ?? '')?.[1]);
  });
  return counts.reduce((sum, count) => sum + count);
}

/** Resolves when every connection of the attack is open. */
async function startAttack(
  numbers: Pick<AttackOptions, 'idle' | 'slow' | 'unread' | 'ahead'>,
): Promise<Child> {
  const options: AttackOptions = { port, heavy: HEAVY, from: served.world.startTime, ...numbers };
  const child = startChild('attack.ts', JSON.stringify(options));
  attackers = child;
  expect(await child.nextLine(), child.errors()).toBe('in place');
  return child;
}

/** Compares the latency of honest clients before and during an attack, and returns how the attack ended. */
async function attack(numbers: Pick<AttackOptions, 'idle' | 'slow' | 'unread'>) {
  await measure();
  const calm = await measure();
  const before = await countEnded('stalled', 'pipelined');
  const child = await startAttack({ ...numbers, ahead: 0 });
  const attacked = await measure();
  const ms = (time: number) => time.toFixed(1);
  console.info(
    `${JSON.stringify(numbers)}: p50 ${ms(calm.p50)} → ${ms(attacked.p50)} ms, p99 ${ms(calm.p99)} → ${ms(attacked.p99)} ms`,
  );
  if (LONG) expect(attacked.p99).toBeLessThanOrEqual(3 * calm.p99);
  // Where the buffers of the system are small, the second requests are too many at once. As connections close, the
  // system has buffer space again and may accept everything that a few others requested. Those are then idle, and closed
  // for that reason.
  await expect
    .poll(async () => (await countEnded('stalled', 'pipelined')) - before, {
      timeout: 120_000,
      interval: 500,
    })
    .toBeGreaterThanOrEqual(0.9 * numbers.unread);
  process.kill(child.pid, 'SIGTERM');
  const said = new Set<string>(JSON.parse((await child.nextLine())!));
  // Requests above the rate limit get a 429 once the burst is over.
  said.delete('heavy 429');
  return { said: [...said], left: async () => JSON.parse((await child.nextLine())!) };
}

describe('an attack', () => {
  test('behavior: honest clients are served during an attack, and attackers are disconnected', async () => {
    const { said, left } = await attack({ idle: IDLE, slow: SLOW, unread: SLOW });
    expect(said).toEqual(['flood 431', 'heavy 200']);
    await expect
      .poll(left, { timeout: 120_000, interval: 1 })
      .toMatchObject({ drip: 0, unread: 0, halfway: 0 });
  }, 1_200_000);

  test('behavior: honest clients are served while others read nothing and are disconnected', async () => {
    const { left } = await attack({ idle: 0, slow: 0, unread: UNREAD });
    await expect.poll(left, { timeout: 120_000, interval: 1 }).toMatchObject({ unread: 0 });
  }, 1_800_000);

  test('behavior: connections with thousands of requests each are closed at once', async () => {
    const before = await countEnded('pipelined');
    const child = await startAttack({ idle: 0, slow: 0, unread: 0, ahead: AHEAD });
    await expect
      .poll(async () => (await countEnded('pipelined')) - before, { timeout: 120_000 })
      .toBe(AHEAD);
    await measure();
    process.kill(child.pid, 'SIGTERM');
    await child.nextLine();
    const left = async () => JSON.parse((await child.nextLine())!);
    await expect.poll(left, { timeout: 120_000, interval: 1 }).toMatchObject({ ahead: 0 });
  }, 1_200_000);
});
