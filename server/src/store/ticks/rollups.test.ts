import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import { describeEachEngine } from '../../../test/database.ts';
import type { Tick } from '../../domain/series/tick.ts';
import { bucketOf, DAY, HOUR } from '../../domain/time.ts';
import { families } from '../families/families.ts';
import { type Queryable, type Store, statement } from '../store.ts';
import { rollups } from './rollups.ts';
import { ticks } from './ticks.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_261_115);
const WORLDS = LONG ? 150 : 8;
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
    ratio: { assets: 1n, shares: 1n },
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

  test('behavior: imported ticks count together with native ones, and are marked', async () => {
    const store = await open();
    const id = await newFamily(store, 'imported');
    await store.transaction(async (tx) => {
      await ticks.upsert(tx, id, [tick(T0, { apy7d: null })]);
      await ticks.importApy(tx, id, [{ at: T0 + 60, value: 0.07 }]);
      await ticks.importTvl(tx, id, [{ at: T0, value: 999n, usd: 1 }]);
      await rollups.refresh(tx, id, T0, T0 + 60);
    });
    const [hour] = await store.query<Record<string, unknown>>(rollupsOf, [id, HOUR]);
    // Values read from chains win over imported ones.
    expect(hour).toMatchObject({ tvlAt: T0, tvl: 0n, apyAt: T0 + 60, apy: 0.07, imported: true });
  });

  test('behavior: a bucket without ticks is removed too', async () => {
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

  test(`behavior: matches a naive computation over the raw ticks after any change (seed ${SEED})`, async () => {
    const store = await open();
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(CHANGE, { minLength: 1, maxLength: 12 }), async (changes) => {
        const id = await newFamily(store, `naive-${made++}`);
        for (const change of changes) {
          await store.transaction((tx) => apply(tx, id, change));
          // Checked after every change, because a later change must not hide an error of an earlier one.
          const raw = await store.query<RawTick>(rawTicks, [id]);
          for (const span of [HOUR, DAY]) {
            const kept = await store.query(everyRollup, [id, span]);
            expect(kept, `${span} after ${change.kind}`).toEqual(naive(raw, span));
          }
        }
      }),
      { seed: SEED, numRuns: WORLDS, endOnFailure: true },
    );
  });
});

const rawTicks = statement(
  'test.rollups.raw',
  `select at, tvl, usd, apy_7d as "apy", assets_per_share as "price", imported from tick where family_id = $1`,
);
const everyRollup = statement(
  'test.rollups.every',
  `select bucket, tvl_at as "tvlAt", tvl, usd, apy_at as "apyAt", apy, share_price_at as "priceAt",
     assets_per_share as "price", imported
   from tick_rollup where family_id = $1 and span = $2 order by bucket`,
);

interface RawTick {
  readonly at: number;
  readonly tvl: bigint | null;
  readonly usd: number | null;
  readonly apy: number | null;
  readonly price: bigint | null;
  readonly imported: boolean;
}

/** The last tick of each bucket that has the value, for each series on its own. */
function naive(raw: readonly RawTick[], span: number) {
  const sorted = [...raw].sort((a, b) => a.at - b.at);
  const buckets = [...new Set(sorted.map(({ at }) => bucketOf(at, span)))];
  return buckets.map((bucket) => {
    const inside = sorted.filter(({ at }) => at >= bucket && at < bucket + span);
    const tvl = inside.findLast((one) => one.tvl !== null);
    const apy = inside.findLast((one) => one.apy !== null);
    const price = inside.findLast((one) => one.price !== null);
    return {
      bucket,
      tvlAt: tvl?.at ?? null,
      tvl: tvl?.tvl ?? null,
      usd: tvl?.usd ?? null,
      apyAt: apy?.at ?? null,
      apy: apy?.apy ?? null,
      priceAt: price?.at ?? null,
      price: price?.price ?? null,
      imported: (tvl?.imported ?? false) || (apy?.imported ?? false),
    };
  });
}

/** Changes of ticks: created, imported, removed by a reorg, created again without some of them. */
type Change =
  | {
      readonly kind: 'fold' | 'import-apy' | 'import-tvl';
      readonly at: readonly number[];
      readonly value: number;
    }
  | { readonly kind: 'reorg'; readonly at: readonly number[] };

// Errors would show near the edges of buckets.
const INSTANT = fc
  .tuple(fc.nat(3 * 24), fc.oneof(fc.integer({ min: -1, max: 1 }), fc.nat(HOUR - 1)))
  .map(([hour, second]) => T0 + Math.max(0, hour * HOUR + second));
const INSTANTS = fc.uniqueArray(INSTANT, { minLength: 1, maxLength: 12 });
const CHANGE: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('fold' as const, 'import-apy' as const, 'import-tvl' as const),
    at: INSTANTS,
    value: fc.nat(1_000),
  }),
  fc.record({ kind: fc.constant('reorg' as const), at: fc.tuple(INSTANT) }),
);

/** In the same order as the indexer and the import: the change, then the rollups that it affects. */
async function apply(tx: Queryable, id: number, change: Change): Promise<void> {
  const at = [...change.at].sort((a, b) => a - b);
  const [from, until] = [at[0]!, at.at(-1)!];
  if (change.kind === 'reorg') {
    await ticks.removeFrom(tx, id, from);
    await rollups.refresh(tx, id, from, 2 ** 52);
    return;
  }
  const { value } = change;
  if (change.kind === 'import-apy') {
    await ticks.importApy(
      tx,
      id,
      at.map((one, i) => ({ at: one, value: (value + i) / 1_000 })),
    );
  } else if (change.kind === 'import-tvl') {
    await ticks.importTvl(
      tx,
      id,
      at.map((one, i) => ({ at: one, value: BigInt(value + i), usd: i % 2 === 0 ? null : value })),
    );
  } else {
    await ticks.removeBetween(tx, id, from - 1, until, at);
    await ticks.upsert(
      tx,
      id,
      at.map((one, i) =>
        tick(one, {
          apy7d: (value + i) % 3 === 0 ? null : value / 1_000,
          assetsPerShare: (value + i) % 4 === 0 ? null : BigInt(value + 1),
          usd: i % 2 === 0 ? null : value,
        }),
      ),
    );
  }
  await rollups.refresh(tx, id, from, until);
}
