import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import { pause } from '../src/runtime/pause.ts';
import { type AssayProcess, startAssay } from './assayProcess.ts';
import { type Child, startChild } from './childProcess.ts';
import type { SiegeOptions } from './children/besiege.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { ask } from './production/readers.ts';
import { statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld, type WorldFile } from './world.ts';

/** Connections that do nothing; some systems allow a process no more than 1 024 in all. */
const IDLE = LONG ? 10_000 : 400;
const SLOW = 100;
/** Two thousand are over in two seconds, and one burst of the machine among them decides. */
const MEASURED = LONG ? 10_000 : 200;
const PATHS = [
  '/v1/vaults',
  '/v1/vaults/svcusd',
  '/v1/history?family=svcusd&limit=20',
  '/v1/status',
];
/** The most that one request can ask for, without anything kept. */
const HEAVY = '/v1/vaults/svcusd/timeseries/allocation?interval=raw&limit=1000';

let served: ServedWorld;
let folder: string;
let database: TestDatabase;
let assay: AssayProcess;
let port: number;
let besiegers: Child | undefined;
beforeAll(async () => {
  served = await serveWorld({ seed: 'siege' });
  folder = await mkdtemp(join(tmpdir(), 'assay-siege-'));
  const config = join(folder, 'assay.yaml');
  await writeFile(config, served.yaml({ edit: behindProxy }));
  database = await createDatabase('postgres');
  const env = { DATABASE_URL: database.config.databaseUrl! };
  assay = startAssay('start', config, { ...env, PORT: '0', ADMIN_PORT: '0' });
  port = await assay.port;
  const end = performance.now() + 100_000;
  for (;;) {
    const reply = await ask(`http://127.0.0.1:${port}/v1/status`);
    if (statusLiveAt(served.heads())(JSON.parse(reply?.body ?? '{"chains":[]}').chains)) break;
    if (performance.now() > end) throw new Error(`still not there: ${reply?.body}`);
    await pause(200);
  }
});
afterAll(async () => {
  await besiegers?.kill();
  await assay?.kill();
  await database?.drop();
  await served?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Clients are told apart by what the proxy says of them, as where it is in use. */
function behindProxy({ http }: WorldFile): void {
  Object.assign(http, { rateLimit: { loopback: true, trustedProxies: ['127.0.0.1'] } });
}

/** How long honest clients wait, four at a time: the median, and what one in a hundred exceeds, in milliseconds. */
async function measure(): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async (_, client) => {
      for (let i = 0; i < MEASURED / 4; i++) {
        const path = PATHS[(i + client) % PATHS.length]!;
        const began = performance.now();
        // Each is another client.
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

describe('a siege', () => {
  test('behavior: others are served while many do their worst', async () => {
    await measure();
    const calm = await measure();
    const options: SiegeOptions = {
      port,
      idle: IDLE,
      slow: SLOW,
      heavy: HEAVY,
      from: served.world.startTime,
    };
    besiegers = startChild('besiege.ts', JSON.stringify(options));
    expect(await besiegers.nextLine(), besiegers.errors()).toBe('in place');
    const besieged = await measure();
    process.kill(besiegers.pid, 'SIGTERM');
    const said = new Set<string>(JSON.parse((await besiegers.nextLine())!));
    // Whoever asks too often is told so, once the burst is over.
    said.delete('heavy 429');
    expect([...said]).toEqual(['flood 431', 'heavy 200']);
    const ms = (time: number) => time.toFixed(1);
    console.info(
      `${IDLE} idle connections: p50 ${ms(calm.p50)} → ${ms(besieged.p50)} ms, p99 ${ms(calm.p99)} → ${ms(besieged.p99)} ms`,
    );
    if (LONG) expect(besieged.p99).toBeLessThanOrEqual(3 * calm.p99);
    // Those who do not come to the point are cut off.
    await expect
      .poll(besiegers.nextLine, { timeout: 40_000, interval: 1 })
      .toSatisfy((left) => Number(left) <= IDLE + SLOW);
  }, 200_000);
});
