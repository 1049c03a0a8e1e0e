import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FULL, LONG } from '../../../../scripts/test/extents.mjs';
import { describeEachEngine } from '../../../test/database.ts';
import type { Tick } from '../../domain/series/tick.ts';
import { bucketOf, DAY, HOUR } from '../../domain/time.ts';
import { families } from '../families/families.ts';
import { type SeriesRange, series } from './readSeries.ts';
import { rollups } from './rollups.ts';
import { ticks } from './ticks.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_260_801);
const WORLDS = LONG ? 100 : FULL ? 8 : 3;
const RANGES = LONG ? 60 : FULL ? 25 : 15;
const T0 = 20_000 * DAY;
const DAYS = 4;

/** A tick as stored: some series may have no value, as in imported ticks. */
interface Given {
  readonly at: number;
  readonly tvl: bigint | null;
  readonly usd: number | null;
  readonly apy: number | null;
  readonly price: bigint | null;
}

// Bounds near the edges of buckets are the likeliest source of errors.
const instant = fc.oneof(
  fc.integer({ min: 0, max: DAYS * DAY }),
  fc
    .tuple(fc.integer({ min: 0, max: DAYS * 24 }), fc.integer({ min: -2, max: 2 }))
    .map(([hour, second]) => Math.max(0, hour * HOUR + second)),
);
const given: fc.Arbitrary<Given> = fc.record({
  at: instant.map((after) => T0 + after),
  tvl: fc.option(fc.bigInt({ min: 0n, max: 10n ** 30n }), { freq: 6 }),
  usd: fc.option(fc.integer({ min: 0, max: 1e9 })),
  apy: fc.option(
    fc.integer({ min: -90, max: 900 }).map((percent) => percent / 100),
    { freq: 4 },
  ),
  price: fc.option(fc.bigInt({ min: 1n, max: 10n ** 20n }), { freq: 4 }),
});
const world = fc.uniqueArray(given, { selector: ({ at }) => at, minLength: 1, maxLength: 150 });
const range: fc.Arbitrary<SeriesRange> = fc
  .tuple(instant, instant, fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(5000)))
  .map(([a, b, limit]) => ({ from: T0 + Math.min(a, b), to: T0 + Math.max(a, b), limit }));
const open = fc.constant<SeriesRange>({ from: 0, to: 2 ** 52, limit: 1000 });

/** As specified: the last tick of each bucket in the range, the newest `limit`, ascending. */
function naive<Point extends { at: number }>(all: Point[], span: number, asked: SeriesRange) {
  const inside = all
    .filter(({ at }) => at >= asked.from && at <= asked.to)
    .sort((a, b) => a.at - b.at);
  const last = new Map(inside.map((point) => [bucketOf(point.at, span), point]));
  return [...last.values()].slice(-asked.limit);
}

function expected(all: readonly Given[]) {
  return {
    tvl: all.flatMap(({ at, tvl, usd }) => (tvl === null ? [] : [{ at, value: tvl, usd }])),
    apy: all.flatMap(({ at, apy }) => (apy === null ? [] : [{ at, value: apy }])),
    sharePrice: all.flatMap(({ at, price }) => (price === null ? [] : [{ at, value: price }])),
  };
}

describeEachEngine(`series (seed ${SEED})`, (openStore) => {
  test('behavior: matches a naive computation over the raw ticks', async () => {
    const store = await openStore();
    let slugs = 0;
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(fc.oneof(range, range, range, open), { minLength: RANGES, maxLength: RANGES }),
        async (all, ranges) => {
          const slug = `family-${slugs++}`;
          await store.transaction(async (tx) => {
            const rows = await families.register(tx, [slug]);
            const { familyId } = rows.find((row) => row.slug === slug)!;
            // Columns that chain ticks always have are null only in imported ticks; this test covers the reading.
            await ticks.upsert(tx, familyId, all.map(tickOf));
            await rollups.refresh(tx, familyId, T0, T0 + DAYS * DAY);
          });
          const truth = expected(all);
          for (const name of ['tvl', 'apy', 'sharePrice'] as const) {
            for (const asked of ranges) {
              const where = `${name} ${JSON.stringify(asked)}`;
              const raw = await series[name].getRaw(store, slug, asked);
              expect(raw, where).toEqual(naive<{ at: number }>(truth[name], 1, asked));
              for (const span of [HOUR, DAY]) {
                const points = await series[name].getLastOfEach(store, slug, span, asked);
                const wanted = naive<{ at: number }>(truth[name], span, asked);
                expect(points, `${where} ${span}`).toEqual(wanted);
              }
            }
          }
        },
      ),
      { seed: SEED, numRuns: WORLDS, endOnFailure: true },
    );
  });

  test('behavior: nothing of another family', async () => {
    const store = await openStore();
    await store.transaction(async (tx) => {
      const rows = await families.register(tx, ['full', 'empty']);
      const { familyId } = rows.find(({ slug }) => slug === 'full')!;
      const one = { at: T0, tvl: 1n, usd: null, apy: 0.1, price: 1n };
      await ticks.upsert(tx, familyId, [tickOf(one)]);
      await rollups.refresh(tx, familyId, T0, T0);
    });
    const asked = { from: 0, to: 2 ** 52, limit: 10 };
    expect(await series.tvl.getLastOfEach(store, 'full', DAY, asked)).toHaveLength(1);
    expect(await series.tvl.getRaw(store, 'full', asked)).toHaveLength(1);
    for (const slug of ['empty', 'unknown']) {
      expect(await series.tvl.getLastOfEach(store, slug, DAY, asked)).toEqual([]);
      expect(await series.tvl.getRaw(store, slug, asked)).toEqual([]);
    }
  });
});

function tickOf({ at, tvl, usd, apy, price }: Given): Tick {
  return {
    at,
    tvl: tvl as bigint,
    idle: 0n,
    invested: 0n,
    pendingExits: 0n,
    pendingRedemptionAssets: 0n,
    totalShares: 0n,
    assetsPerShare: price,
    ratio: price === null ? null : { assets: price, shares: 1n },
    usd,
    apy1d: null,
    apy7d: apy,
    apy30d: null,
    rewardApr: 0,
  };
}
