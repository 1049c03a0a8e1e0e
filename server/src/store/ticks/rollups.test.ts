import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import type { Tick } from '../../domain/series/tick.ts';
import { DAY, HOUR } from '../../domain/time.ts';
import { families } from '../families/families.ts';
import { type Store, statement } from '../store.ts';
import { rollups } from './rollups.ts';
import { ticks } from './ticks.ts';

const T0 = 20_000 * DAY;
const rollupsOf = statement(
  'test.rollups.all',
  `select bucket, tvl_at as "tvlAt", tvl, apy_at as "apyAt", apy, share_price_at as "priceAt", imported
   from tick_rollup where family_id = $1 and span = $2 order by bucket`,
);

function tick(at: number, change: Partial<Tick> = {}): Tick {
  return {
    at,
    tvl: BigInt(at - T0),
    idle: 0n,
    invested: 0n,
    pendingExits: 0n,
    pendingRedemptionAssets: 0n,
    totalShares: 0n,
    assetsPerShare: 1n,
    usd: null,
    apy1d: null,
    apy7d: 0.05,
    apy30d: null,
    rewardApr: 0,
    ...change,
  };
}

async function newFamily(store: Store, slug: string): Promise<number> {
  const rows = await store.transaction((tx) => families.register(tx, [slug]));
  return rows.find((row) => row.slug === slug)!.familyId;
}

describeEachEngine('rollups', (open) => {
  test('default', async () => {
    const store = await open();
    const id = await newFamily(store, 'default');
    const made = [0, 300, HOUR - 1, HOUR, DAY - 1, DAY].map((after) => tick(T0 + after));
    await store.transaction(async (tx) => {
      await ticks.upsert(tx, id, made);
      await rollups.refresh(tx, id, made[0]!.at, made.at(-1)!.at);
    });
    const hours = await store.query<{ bucket: number; tvlAt: number }>(rollupsOf, [id, HOUR]);
    expect(hours.map(({ bucket, tvlAt }) => [bucket - T0, tvlAt - T0])).toEqual([
      [0, HOUR - 1],
      [HOUR, HOUR],
      [DAY - HOUR, DAY - 1],
      [DAY, DAY],
    ]);
    const days = await store.query<{ bucket: number; tvlAt: number }>(rollupsOf, [id, DAY]);
    expect(days.map(({ bucket, tvlAt }) => [bucket - T0, tvlAt - T0])).toEqual([
      [0, DAY - 1],
      [DAY, DAY],
    ]);
  });

  test('behavior: each series has its own last tick', async () => {
    const store = await open();
    const id = await newFamily(store, 'series');
    await store.transaction(async (tx) => {
      await ticks.upsert(tx, id, [
        tick(T0),
        tick(T0 + 10, { apy7d: null }),
        tick(T0 + 20, { apy7d: null, assetsPerShare: null }),
      ]);
      await rollups.refresh(tx, id, T0, T0 + 20);
    });
    const [hour] = await store.query<Record<string, unknown>>(rollupsOf, [id, HOUR]);
    expect(hour).toMatchObject({ tvlAt: T0 + 20, apyAt: T0, priceAt: T0 + 10, imported: false });
  });

  test('behavior: imported ticks count beside our own and say so', async () => {
    const store = await open();
    const id = await newFamily(store, 'imported');
    await store.transaction(async (tx) => {
      await ticks.upsert(tx, id, [tick(T0, { apy7d: null })]);
      await ticks.importApy(tx, id, [{ at: T0 + 60, value: 0.07 }]);
      await ticks.importTvl(tx, id, [{ at: T0, value: 999n, usd: 1 }]);
      await rollups.refresh(tx, id, T0, T0 + 60);
    });
    const [hour] = await store.query<Record<string, unknown>>(rollupsOf, [id, HOUR]);
    // What the chains say wins over what was imported.
    expect(hour).toMatchObject({ tvlAt: T0, tvl: 0n, apyAt: T0 + 60, apy: 0.07, imported: true });
  });

  test('behavior: a bucket whose ticks are gone goes too', async () => {
    const store = await open();
    const id = await newFamily(store, 'gone');
    await store.transaction(async (tx) => {
      await ticks.upsert(tx, id, [tick(T0), tick(T0 + HOUR), tick(T0 + 2 * DAY)]);
      await rollups.refresh(tx, id, T0, T0 + 2 * DAY);
      await ticks.removeFrom(tx, id, T0 + HOUR);
      await rollups.refresh(tx, id, T0 + HOUR, 2 ** 52);
    });
    expect(await store.query(rollupsOf, [id, HOUR])).toHaveLength(1);
    expect(await store.query(rollupsOf, [id, DAY])).toMatchObject([{ bucket: T0, tvlAt: T0 }]);
  });
});
