import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../src/config/config.ts';
import { type Gap, gaps } from '../src/store/gaps/gaps.ts';
import { sources } from '../src/store/sources/sources.ts';
import type { Queryable } from '../src/store/store.ts';
import { withDatabase } from './database.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { type RunningApp, startTestApp } from './runningApp.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const BASE = 8453;

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'gaps' });
});
afterAll(() => served?.close());

async function addGap(store: Queryable, change: Partial<Gap> = {}): Promise<void> {
  const [row] = (await sources.getOfChain(store, BASE)).filter(({ familyId }) => familyId !== null);
  await gaps.add(store, {
    ...{ familyId: row!.familyId!, chainId: BASE, reason: 'state', initial: true },
    ...{ fromBlock: 3, toBlock: 9, fromTime: 1_790_000_000, toTime: 1_790_010_000, foundAt: 1 },
    ...change,
  });
}

interface ReadyBody {
  readonly detail?: string;
  readonly missing?: readonly { readonly family: string | null; readonly reason: string }[];
}

test('a gap of the first backfill keeps a new store unready until the file accepts it', async () => {
  await withDatabase('postgres', async (database) => {
    const store = await database.open();
    const config = served.config();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    await addGap(store);

    await serve(config, async (app) => {
      const { status, body } = await ready(app);
      expect(status).toBe(503);
      expect(body.detail).toMatch(/^not ready: Gap in \S+ on chain 8453: Contract state from /);
      const shown = (await app.status()) as unknown as {
        chainId: number;
        families: { gaps: object[] }[];
      }[];
      const counts = shown.map(({ families }) => families.flatMap((one) => one.gaps).length);
      expect(counts.reduce((sum, one) => sum + one)).toBe(1);
    });
    const chains = config.chains.map((chain) => ({ ...chain, acceptGaps: true }));
    await serve({ ...config, chains }, async (app) => {
      expect(await ready(app)).toMatchObject({ status: 200, body: { missing: [] } });
    });
    // The server was ready once, so neither gap makes it unready again, but status lists both.
    await addGap(store, { chainId: BASE, fromBlock: 20, toBlock: 29, initial: false });
    await serve(config, async (app) => {
      const { status, body } = await ready(app);
      expect(status).toBe(200);
      expect(body.missing).toHaveLength(2);
    });

    async function serve(used: Config, work: (app: RunningApp) => Promise<void>): Promise<void> {
      const app = await startTestApp(used, database.config);
      try {
        await work(app);
      } finally {
        await app.stop();
      }
    }
  });
});

async function ready(app: RunningApp): Promise<{ status: number; body: ReadyBody }> {
  const response = await fetch(`${app.url}/health/ready`);
  return { status: response.status, body: (await response.json()) as ReadyBody };
}
