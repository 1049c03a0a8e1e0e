import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONG } from '../../../scripts/test/extents.mjs';
import { describeEachEngine } from '../../test/database.ts';
import { readRows } from '../../test/tableRows.ts';
import {
  DAYS,
  makeFamilies,
  setIndexedTime,
  T0,
  type ThinnedFamilies,
} from '../../test/thinnedFamilies.ts';
import { bucketOf, DAY, HOUR } from '../domain/time.ts';
import { families } from '../store/families/families.ts';
import { gaps } from '../store/gaps/gaps.ts';
import { type Queryable, type Store, statement } from '../store/store.ts';
import { allocation } from '../store/ticks/allocation.ts';
import { series } from '../store/ticks/readSeries.ts';
import { rollups } from '../store/ticks/rollups.ts';
import { thinNext } from './thin.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_261_118);
const WORLDS = LONG ? 40 : 3;
/** Of six days, two are thinned to days, two to hours, and two are kept in full. */
const RETENTION = { raw: 2 * DAY, hour: 4 * DAY };
const [DAILY, HOURLY] = [T0 + 2 * DAY, T0 + 4 * DAY];
const ALL = { from: T0, to: T0 + DAYS * DAY - 1, limit: 5_000 };
const TABLES = ['tick', 'chain_tick', 'pool_tick', 'tick_rollup'];

const poolPlace = statement(
  'test.thin.firstPools',
  `select chain_id as "chainId", pool_id as "poolId", min(at) as at from pool_tick where family_id = $1
   group by chain_id, pool_id order by chain_id, pool_id`,
);

/** Thins until nothing is due; returns how many rows were removed. */
async function thinAll(store: Store, { master, feeder }: ThinnedFamilies): Promise<number> {
  let rows = 0;
  for (const family of [master, feeder]) {
    for (;;) {
      const thinned = await store.transaction((tx) => thinNext(tx, family, RETENTION));
      if (thinned === null) break;
      rows += thinned.rows;
    }
  }
  return rows;
}

/** Reads every hourly and daily response, for a family and for one that is shown with its pools. */
async function readAnswers(
  db: Queryable,
  { master, feeder }: ThinnedFamilies,
  span: number,
  since: number,
) {
  const answers: unknown[] = [];
  for (const { slug } of [master, feeder]) {
    const range = { ...ALL, from: since };
    for (const kind of ['tvl', 'apy', 'sharePrice', 'split'] as const) {
      answers.push([slug, kind, await series[kind].getLastOfEach(db, slug, span, range)]);
    }
    const instants = (await series.split.getLastOfEach(db, slug, span, range)).map(({ at }) => at);
    answers.push([slug, 'pools', [...(await allocation.getPoolValues(db, master.slug, instants))]]);
    answers.push([slug, 'part', [...(await allocation.getInvested(db, master.slug, instants))]]);
  }
  return answers;
}

async function dump(db: Queryable, { master, feeder }: ThinnedFamilies) {
  const of = (family: string) => readRows(db, { family, tables: TABLES });
  return [await of(master.slug), await of(feeder.slug)];
}

const countOf = (rows: Awaited<ReturnType<typeof dump>>, table: string) =>
  rows.reduce((sum, one) => sum + one[table]!.length, 0);

describeEachEngine('thinning', (open) => {
  let made = 0;
  const prepare = async (seed: number) => {
    const store = await open();
    const own = await makeFamilies(store, `world ${made++}`, randomOf(seed));
    await store.transaction((tx) => own.write(tx));
    return { store, own };
  };

  test(`default: results by hour and day do not change (seed ${SEED})`, () =>
    fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const { store, own } = await prepare(seed);
        const before = await dump(store, own);
        const asked = [
          [DAY, T0],
          [HOUR, DAILY],
        ] as const;
        const answers = await Promise.all(
          asked.map(([span, since]) => readAnswers(store, own, span, since)),
        );
        const raw = await series.tvl.getRaw(store, own.master.slug, { ...ALL, from: HOURLY });
        const firstPools = await store.query(poolPlace, [own.master.familyId]);

        expect(await thinAll(store, own)).toBeGreaterThan(0);
        for (const [i, [span, since]] of asked.entries()) {
          expect(await readAnswers(store, own, span, since)).toEqual(answers[i]);
        }
        expect(await series.tvl.getRaw(store, own.master.slug, { ...ALL, from: HOURLY })).toEqual(
          raw,
        );
        expect(await store.query(poolPlace, [own.master.familyId])).toEqual(firstPools);

        const thinned = await dump(store, own);
        for (const table of ['tick', 'chain_tick', 'pool_tick']) {
          expect(countOf(thinned, table), table).toBeLessThan(countOf(before, table) * 0.75);
        }
        const times = (await series.tvl.getRaw(store, own.feeder.slug, ALL)).map(({ at }) => at);
        // The last tick of each of three series, the last own one, and the family's first.
        expect(
          most(
            times.filter((at) => at < DAILY),
            DAY,
          ),
        ).toBeLessThanOrEqual(6);
        // The rollups match the remaining ticks.
        for (const { familyId } of [own.master, own.feeder]) {
          await store.transaction((tx) => rollups.refresh(tx, familyId, T0, T0 + DAYS * DAY));
        }
        expect(await dump(store, own)).toEqual(thinned);

        // Reindexing and thinning again gives the same rows.
        await store.transaction(async (tx) => {
          await own.write(tx);
          for (const { familyId } of [own.master, own.feeder]) {
            await families.setTickUntil(tx, familyId, T0 + DAYS * DAY, T0);
          }
        });
        expect(await dump(store, own)).toEqual(before);
        await thinAll(store, own);
        expect(await dump(store, own)).toEqual(thinned);
      }),
      { numRuns: WORLDS, seed: SEED },
    ));

  test('behavior: a day with a gap is kept in full, and thinned once its ticks are complete', async () => {
    const { store, own } = await prepare(1);
    const { familyId } = own.master;
    const times = { fromTime: DAILY + HOUR, toTime: DAILY + 2 * HOUR };
    const blocks = { fromBlock: 5, toBlock: 6, foundAt: 1, initial: true };
    const gap = { familyId, chainId: 10, reason: 'state', ...times, ...blocks } as const;
    await gaps.add(store, gap);
    const inDay = { ...ALL, from: DAILY, to: DAILY + DAY - 1 };
    const before = await series.tvl.getRaw(store, own.master.slug, inDay);
    await thinAll(store, own);
    expect(await series.tvl.getRaw(store, own.master.slug, inDay)).toEqual(before);
    await gaps.removeOfSource(store, familyId, 10);
    await store.transaction((tx) => families.setTickUntil(tx, familyId, T0 + DAYS * DAY, DAILY));
    await thinAll(store, own);
    expect(await series.tvl.getRaw(store, own.master.slug, inDay)).not.toEqual(before);
  });

  test('behavior: days that a lagging chain has not reached are not thinned', async () => {
    const { store, own } = await prepare(2);
    const before = await dump(store, own);
    for (const { familyId } of [own.master, own.feeder]) {
      await setIndexedTime(store, familyId, 8453, T0 + 2 * DAY);
    }
    expect(await thinAll(store, own)).toBe(0);
    expect(await dump(store, own)).toEqual(before);
  });

  test('behavior: an interrupted run continues where it stopped', async () => {
    const { store, own } = await prepare(3);
    const before = await dump(store, own);
    const failed = store.transaction(async (tx) => {
      await thinNext(tx, own.master, RETENTION);
      throw new Stopped();
    });
    await expect(failed).rejects.toThrow(Stopped);
    expect(await dump(store, own)).toEqual(before);
    await store.transaction((tx) => thinNext(tx, own.master, RETENTION));
    const [row] = await families.lock(store, [own.master.familyId]);
    expect(row).toMatchObject({ dailyUntil: T0 + DAY, hourlyUntil: 0 });
    await thinAll(store, own);
    const [end] = await families.lock(store, [own.master.familyId]);
    expect(end).toMatchObject({ dailyUntil: DAILY, hourlyUntil: HOURLY });
  });
});

class Stopped extends Error {}

function most(times: readonly number[], span: number): number {
  const counts = new Map<number, number>();
  for (const at of times) counts.set(bucketOf(at, span), (counts.get(bucketOf(at, span)) ?? 0) + 1);
  return Math.max(...counts.values());
}

/** Seeded random numbers in [0, 1). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
