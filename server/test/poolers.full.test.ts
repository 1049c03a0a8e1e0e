import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../src/store/storeUnavailable.ts';
import { createRandom } from './activity.ts';
import { startFaultCluster } from './clusterFaults.ts';
import { runCommand } from './commandLine.ts';
import { withDatabase } from './database.ts';
import { HAS_PACKAGES } from './debianPackages.ts';
import { indexUndisturbed } from './faultRun.ts';
import { type PoolMode, startPgbouncer } from './pgbouncer.ts';
import { SETTLED } from './settledTables.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const REMEDY = new StoreUnavailable('pooled').message;

describe.skipIf(!HAS_PACKAGES)('processes behind PgBouncer', () => {
  let served: ServedWorld;
  let folder: string;
  beforeAll(async () => {
    served = await serveWorld({ seed: 'poolers' });
    folder = await mkdtemp(join(tmpdir(), 'assay-poolers-'));
  });
  afterAll(async () => {
    await served?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  });

  test.each<PoolMode>(['transaction', 'statement'])(
    'error: in %s mode, every command exits with what to change',
    (mode) =>
      withDatabase('postgres', async (database) => {
        const direct = database.config.databaseUrl!;
        const pgbouncer = await startPgbouncer(direct, mode);
        try {
          const config = join(folder, `${mode}.yaml`);
          await writeFile(config, served.yaml());
          const pooled = pgbouncer.urlOf(direct);
          for (const command of ['serve', 'index', 'start', 'migrate']) {
            const ended = await runCommand([command, '--config', config], { DATABASE_URL: pooled });
            expect(ended).toEqual({ code: 1, out: '', err: `assay: ${REMEDY}\n` });
          }
          const env = { DATABASE_URL: direct, DATABASE_REPLICA_URL: pooled };
          const ended = await runCommand(['serve', '--config', config], env);
          expect(ended).toEqual({ code: 1, out: '', err: `assay: ${REMEDY}\n` });
          const doctor = await runCommand(['doctor', '--config', config], { DATABASE_URL: pooled });
          expect(doctor.code).toBe(1);
          expect(doctor.out).toContain(`database: ${REMEDY}`);
        } finally {
          await pgbouncer.close();
        }
      }),
  );

  test('behavior: in session mode two servers and two indexers share a database', async () => {
    const undisturbed = await indexUndisturbed(served);
    const cluster = await startFaultCluster(served, { direct: false });
    try {
      await cluster.untilLive();
      const random = createRandom(1);
      for (const fault of ['kill', 'kill', 'pooler'] as const) await cluster.fail(fault, random);
      await undisturbed.catchUp();
      await cluster.untilLive();
      expect(await cluster.rows()).toEqual(await undisturbed.rows(SETTLED));
    } finally {
      await cluster.close();
      await undisturbed.drop();
    }
  });
});
