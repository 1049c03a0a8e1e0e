import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test/database.ts';
import { type RunningApp, startTestApp, statusLiveAt } from '../../../test/runningApp.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import { riskGrades } from '../../store/risk/grades.ts';
import { riskRead } from '../../store/risk/read.ts';

// Uses PostgreSQL, because the test reads the store while the server runs.
let served: ServedWorld;
let database: TestDatabase;
let app: RunningApp;
beforeAll(async () => {
  served = await serveWorld({ seed: 'risk-loop' });
  database = await createDatabase('postgres');
  app = await startTestApp(served.config(), database.config);
}, 120_000);
afterAll(async () => {
  await app?.stop();
  await database?.drop();
  await served?.close();
}, 60_000);

interface Pool {
  readonly offchainId: string;
  readonly riskScore: number;
}

async function servedPools(): Promise<readonly Pool[]> {
  const response = await fetch(`${app.url}/v1/vaults/svcusd`);
  const { stats } = (await response.json()) as { stats?: { pools: Pool[] } };
  return stats?.pools ?? [];
}

test('default: a server that starts has the catalog, its families and their scores', async () => {
  const store = await database.open();
  await app.until(statusLiveAt(served.heads()), 90);
  const vault = `pool:base:${served.world.families[0]!.address.toLowerCase()}`;
  await expect
    .poll(async () => (await riskRead.findNode(store, vault))?.node.facts, { timeout: 60_000 })
    .toMatchObject({ chain: 'base' });
  const node = (await riskRead.findNode(store, 'chain:ethereum'))!;
  expect(node.sources.name).toBe('catalogue');

  async function scoreOf(offchainId: string): Promise<number | undefined> {
    for await (const page of riskRead.getOutlines(store)) {
      for (const { id } of page.filter(({ label }) => label === 'Pool')) {
        const { node } = (await riskRead.findNode(store, id))!;
        if (node.label !== 'Pool' || node.facts.offchainId !== offchainId) continue;
        return (await riskGrades.getScores(store, [id])).get(id);
      }
    }
    return undefined;
  }

  await expect
    .poll(
      async () => {
        const pools = await servedPools();
        const scores = await Promise.all(pools.map(({ offchainId }) => scoreOf(offchainId)));
        return pools.length > 0 && pools.every((pool, i) => pool.riskScore === scores[i]);
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(true);
  expect(app.logs()).not.toMatch(/could not be brought up to date|could not be imported/);
}, 180_000);
