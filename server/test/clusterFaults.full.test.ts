import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { step } from '../../devnet/src/index.ts';
import { LONG } from '../../scripts/test/extents.mjs';
import { createRandom } from './activity.ts';
import {
  FAULTS,
  type Fault,
  type FaultCluster,
  LEADS,
  startFaultCluster,
} from './clusterFaults.ts';
import { HAS_PACKAGES } from './debianPackages.ts';
import { indexUndisturbed, type Reference } from './faultRun.ts';
import { SETTLED } from './settledTables.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 29);
const SEQUENCES = LONG ? 100 : 3;
const LENGTH = 3;

describe.skipIf(!HAS_PACKAGES)(`faults of a cluster (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  /** The faults still to come: each fault occurs before any repeats. */
  let left: Fault[] = [];
  let served: ServedWorld;
  let undisturbed: Reference;
  let cluster: FaultCluster;
  beforeAll(async () => {
    served = await serveWorld({ seed: `faults ${SEED}` });
    undisturbed = await indexUndisturbed(served);
    cluster = await startFaultCluster(served, { direct: true });
    await cluster.untilLive();
  });
  afterAll(async () => {
    await cluster?.close();
    await undisturbed?.drop();
    await served?.close();
  });

  function draw(): Fault {
    if (left.length === 0) left = [...FAULTS];
    return left.splice(random.int(left.length), 1)[0]!;
  }

  async function expectCleanRows(): Promise<void> {
    await undisturbed.catchUp();
    await cluster.untilLive();
    expect(await cluster.rows()).toEqual(await undisturbed.rows(SETTLED));
    for (const { url } of cluster.servers) {
      await expect.poll(async () => (await fetch(`${url}/v1/status`)).status).toBe(200);
    }
  }

  test('behavior: a leader paused during a step writes nothing later', async () => {
    const blocking = new pg.Client({ connectionString: cluster.url });
    await blocking.connect();
    // Every step locks its families, so this lock makes leaders wait inside their transactions.
    await blocking.query('begin; lock table family in exclusive mode');
    for (const { chainId, chain } of served.world.chains) {
      await step(served.world, chainId, chain.tip.time + 400);
    }
    const leaders = served.world.chains.length;
    await expect.poll(() => countWaiting(blocking), { timeout: 60_000 }).toBe(leaders);
    const leading = cluster.indexers.find((member) => member.says(LEADS))!;
    leading.hang();
    await blocking.query('rollback');
    await blocking.end();
    try {
      await cluster.untilLive();
    } finally {
      leading.goOn();
    }
    await expectCleanRows();
  });

  test.each(Array.from({ length: SEQUENCES }, (_, i) => i + 1))(
    'behavior: sequence %i ends with the rows of a clean index',
    async () => {
      for (let i = 0; i < LENGTH; i++) await cluster.fail(draw(), random);
      await expectCleanRows();
    },
    600_000,
  );
});

async function countWaiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'assay'`,
  );
  return rows[0].n;
}
