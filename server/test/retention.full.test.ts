import { afterAll, beforeAll, expect, test } from 'vitest';
import { command as fillCommand, fillStore } from '../src/commands/fill.ts';
import { verifyStore } from '../src/commands/verify.ts';
import type { Config } from '../src/config/config.ts';
import { bucketOf, DAY, toIso } from '../src/domain/time.ts';
import { isDue } from '../src/ingest/thin.ts';
import { families } from '../src/store/families/families.ts';
import { gaps } from '../src/store/gaps/gaps.ts';
import { sources } from '../src/store/sources/sources.ts';
import { type Store, statement } from '../src/store/store.ts';
import { thinning } from '../src/store/ticks/thinning.ts';
import { describeAnyEngine } from './database.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { readRows } from './tableRows.ts';
import { type ServedWorld, serveWorld } from './world.ts';

/** Shorter than the configuration allows, because the chains have only four days. */
const RETENTION = { raw: DAY, hour: 2 * DAY };
const TICKS = ['tick', 'chain_tick', 'pool_tick', 'tick_rollup'];
/** A recomputed yield starts from the nearest tick that is still stored. */
const YIELDS = ['apy', 'apy_1d', 'apy_7d', 'apy_30d'];

const partitions = statement(
  'test.retention.partitions',
  'select whole, lower, upper from tick_partition order by whole, lower nulls first',
);
const unmark = statement(
  'test.retention.unmark',
  'update family set hourly_until = 0, daily_until = 0',
);

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'retention' });
});
afterAll(() => served?.close());

describeAnyEngine('retention', (open) => {
  let store: Store;
  let config: Config;
  beforeAll(async () => {
    store = await open();
    // Only final blocks are read again, at the live interval.
    const chain = { finality: { depth: 4 } };
    config = served.config({ ticks: { liveSeconds: 600, backfillSeconds: 600 }, chain });
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
  }, 120_000);

  async function isThinned(): Promise<boolean> {
    const [rows, all] = [await families.getAll(store), await sources.getAll(store)];
    return rows.every((row) => {
      const own = all.filter(({ familyId }) => familyId === row.familyId);
      const chainIds = own.map(({ chainId }) => chainId);
      return !isDue(row, own, { familyId: row.familyId, chainIds, shownWith: [] }, RETENTION);
    });
  }

  async function thin(): Promise<void> {
    const indexing = startIndexing(store, { ...config, retention: RETENTION });
    await indexing.until(isThinned);
    await indexing.stop();
  }

  async function verify() {
    const lines: string[] = [];
    const args = { family: null, wallets: 1, seed: 'test' };
    const code = await verifyStore.runOn({ config, store }, args, (line) => lines.push(line));
    return { code, text: lines.join('\n') };
  }

  const ticksNow = () => readRows(store, { tables: TICKS, without: YIELDS });

  test('default: ticks are thinned by the leader, and nothing else is', async () => {
    const before = await readRows(store);
    await thin();
    const after = await readRows(store);
    for (const table of Object.keys(before)) {
      const [now, then] = [after[table]!.length, before[table]!.length];
      if (TICKS.includes(table)) expect(now, table).toBeLessThan(then);
      else expect(after[table], table).toEqual(before[table]);
    }
  });

  test('behavior: thinned ticks are not gaps', async () => {
    expect(await gaps.getAll(store)).toEqual([]);
    const { code, text } = await verify();
    expect(text).toMatch(/ticks from \S+ to \S+: \d+ of \d+ thinned \(retention\)/);
    expect({ code, text }).toEqual({ code: 0, text: expect.not.stringContaining('DIFFERENT') });
    // Without the recorded ranges, thinned ticks are reported as missing.
    const marked = await families.getAll(store);
    await store.query(unmark);
    const unmarked = await verify();
    for (const { familyId, hourlyUntil, dailyUntil } of marked) {
      await thinning.setHourlyUntil(store, familyId, hourlyUntil);
      await thinning.setDailyUntil(store, familyId, dailyUntil);
    }
    expect(unmarked.code).toBe(1);
    expect(unmarked.text).toContain('missing without a recorded gap');
  });

  test('behavior: a reindexed range is thinned again, to the same ticks', async () => {
    const thinned = await ticksNow();
    const [row] = await families.getAll(store);
    const from = bucketOf(row!.hourlyUntil, DAY) - DAY;
    const text = (at: number) => toIso(at).slice(0, 19);
    const words = { family: row!.slug, from: text(from), to: text(from + DAY) };
    const args = fillCommand.read(new Map(Object.entries(words)), undefined);
    await fillStore.runOn({ config, store }, args as never, () => undefined);
    expect(await gaps.getAll(store)).not.toEqual([]);
    const indexing = startIndexing(store, config);
    await indexing.until(async () => (await gaps.getAll(store)).length === 0);
    await indexing.stop();
    const again = await ticksNow();
    expect(again.pool_tick!.length).toBeGreaterThan(thinned.pool_tick!.length);
    expect(await isThinned()).toBe(false);
    await thin();
    expect(await ticksNow()).toEqual(thinned);
  });
});

describeAnyEngine('retention in a new store', (open) => {
  test('default: the leader creates the partitions of the next year ahead of time', async () => {
    const store = await open();
    const config = served.config({ ticks: { liveSeconds: 600, backfillSeconds: 600 } });
    const indexing = startIndexing(store, { ...config, retention: RETENTION });
    type Partition = {
      readonly whole: string;
      readonly lower: number | null;
      readonly upper: number | null;
    };
    const tables = async () => {
      const all = new Map<string, Partition[]>();
      for (const row of await store.query<Partition>(partitions)) {
        all.set(row.whole, [...(all.get(row.whole) ?? []), row]);
      }
      return all;
    };
    const now = Date.now() / 1_000;
    await indexing.until(async (rows) => {
      const all = [...(await tables()).values()];
      return all.some((own) => own.length > 1) && liveAt(served.heads())(rows);
    });
    await indexing.stop();
    for (const [whole, own] of await tables()) {
      expect(own[0]!.lower, whole).toBe(null);
      expect(own.at(-1)!.upper, whole).toBe(null);
      for (const [i, { upper }] of own.slice(0, -1).entries()) {
        expect(upper, whole).toBe(own[i + 1]!.lower);
        expect(upper! % DAY, whole).toBe(0);
        if (i === 0) expect(upper, whole).toBeGreaterThan(now);
      }
    }
  });
});
