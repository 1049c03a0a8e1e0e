import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import { type TestDatabase, withDatabase } from '../../../test/database.ts';
import { readRows } from '../../../test/tableRows.ts';
import { DAY } from '../../domain/time.ts';
import { type Queryable, type Store, statement } from '../store.ts';
import { type SpaceStep, tickSpace } from './tickSpace.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_261_119);
const NOW = 20_000 * DAY;
/** 2024-10-04, so the next year begins after the 60 days within which an empty partition is cut. */
const NEXT_YEAR = Date.UTC(2025, 0, 1) / 1_000;
const ROWS = 4_000;
const STEPS = 200;

const fill = statement(
  'test.space.fill',
  `with made as (insert into family (slug) values ('f1') on conflict do nothing)
   insert into pool_tick (family_id, chain_id, pool_id, at, block_number, value, pending_exit, share_price, reward_per_year)
   select 1, 10, '\\x01', ${NOW} - i * 300, i, i, 0, 1, 0 from generate_series(1, ${ROWS}) i on conflict do nothing`,
);
const thin = statement('test.space.thin', 'delete from pool_tick where at % 86400 <> 0');
const analyze = statement('test.space.analyze', 'analyze pool_tick, chain_tick, tick');
const put = statement(
  'test.space.put',
  `insert into pool_tick (family_id, chain_id, pool_id, at, block_number, value, pending_exit, share_price, reward_per_year)
   values (1, 10, '\\x01', $1, 1, $2, 0, 1, 0)
   on conflict (family_id, chain_id, pool_id, at) do update set value = excluded.value`,
);
const remove = statement('test.space.remove', 'delete from pool_tick where at = $1');
const partitions = statement(
  'test.space.partitions',
  `select name, lower, upper, pg_total_relation_size(id) as bytes from tick_partition
   where whole = 'pool_tick' order by lower nulls first`,
);
const left = statement(
  'test.space.left',
  `select count(*)::int as count from (select from tick_rewrite union all
     select from pg_class where relname like '%tick%\\_new%' union all
     select from pg_trigger where tgname = 'tick_rewrite') found`,
);
const values = statement('test.space.values', 'select at, value from pool_tick order by at');
const repack = statement('test.space.repack', 'vacuum full pool_tick_first');

interface Partition {
  readonly name: string;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly bytes: bigint | number;
}

const advance = (store: Store, mayStart = true) =>
  store.transaction((tx) =>
    tickSpace.advance(tx, { now: NOW, mayStart, minBytes: 32_768, pages: 4 }),
  );
const placed = (db: Queryable) => db.query<{ at: number; value: bigint }>(values);
const poolRows = async (db: Queryable) => {
  const { pool_tick: rows } = await readRows(db, { tables: ['pool_tick'] });
  return rows!;
};
const partitionsOf = (db: Queryable) => db.query<Partition>(partitions);

/** A store whose ticks of every day but the first of it are gone, while their space is not. */
async function openThinned(database: TestDatabase): Promise<Store> {
  const store = await database.open();
  // The empty partitions of the other tables are cut first.
  await store.query(fill);
  await untilIdle(store);
  await store.query(thin);
  await store.query(analyze);
  return store;
}

async function untilIdle(store: Store): Promise<SpaceStep[]> {
  const done: SpaceStep[] = [];
  while (done.length < STEPS) {
    const step = await advance(store);
    if (step === null) return done;
    done.push(step);
  }
  throw new Error(`it does not end: ${done.join(', ')}`);
}

async function until(store: Store, step: SpaceStep): Promise<void> {
  for (let i = 0; i < STEPS; i++) if ((await advance(store)) === step) return;
  throw new Error(`it was never ${step}`);
}

describe.each(['pglite', 'postgres'] as const)('tick space on %s', (engine) => {
  const onThinned = (work: (store: Store, database: TestDatabase) => Promise<void>) =>
    withDatabase(engine, async (database) => work(await openThinned(database), database));

  test('default: the space of thinned ticks comes back, and the next year gets a partition', () =>
    onThinned(async (store) => {
      const rows = await poolRows(store);
      const [before] = await partitionsOf(store);
      expect(before).toMatchObject({ name: 'pool_tick_first', lower: null, upper: null });
      const done = await untilIdle(store);
      expect(done.filter((step) => step === 'copied').length).toBeGreaterThan(3);
      expect(done.at(-1)).toBe('swapped');
      const [first, next, ...others] = await partitionsOf(store);
      expect(first).toMatchObject({ name: 'pool_tick_first', lower: null, upper: NEXT_YEAR });
      expect(next).toMatchObject({
        name: 'pool_tick_2025_01_01',
        lower: NEXT_YEAR,
        upper: null,
      });
      expect(others).toEqual([]);
      expect(Number(first!.bytes)).toBeLessThan(Number(before!.bytes) / 4);
      expect(await poolRows(store)).toEqual(rows);
      expect(await store.query(left)).toEqual([{ count: 0 }]);
    }));

  test('behavior: continues where a process of any version stopped', () =>
    onThinned(async (store, database) => {
      const rows = await poolRows(store);
      await until(store, 'started');
      await until(store, 'copied');
      await store.close();
      const again = await database.open();
      // Without `retention`, a copy that has begun is finished, and no other begins.
      const done: (SpaceStep | null)[] = [];
      while (done.at(-1) !== null) done.push(await advance(again, false));
      expect(done.slice(0, -1)).not.toContain('started');
      expect(done.at(-2)).toBe('swapped');
      expect(await poolRows(again)).toEqual(rows);
    }));

  test('behavior: rows that are written meanwhile are in the copy, in any order', async () => {
    const change = fc.record({
      before: fc.nat(3),
      kind: fc.constantFrom('put', 'remove'),
      at: fc.nat(ROWS).map((i) => NOW - i * 300),
      value: fc.nat(1_000_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 10, maxLength: 60 }), (changes) =>
        onThinned(async (store) => {
          const expected = new Map((await placed(store)).map((row) => [row.at, row.value]));
          await until(store, 'started');
          for (const { before, kind, at, value } of changes) {
            for (let i = 0; i < before; i++) await advance(store, false);
            if (kind === 'put') {
              await store.query(put, [at, value]);
              expected.set(at, BigInt(value));
            } else {
              await store.query(remove, [at]);
              expected.delete(at);
            }
          }
          await untilIdle(store);
          expect((await partitionsOf(store)).length).toBe(2);
          expect(new Map((await placed(store)).map((row) => [row.at, row.value]))).toEqual(
            expected,
          );
        }),
      ),
      { seed: SEED, numRuns: LONG ? 20 : 2, endOnFailure: true },
    );
  });

  test('behavior: rows of any time can be written, before, during, and after', () =>
    onThinned(async (store) => {
      const times = [0, 1, NEXT_YEAR - 1, NEXT_YEAR, NEXT_YEAR + 1, 2 ** 40];
      const write = async (value: number) => {
        for (const at of times) await store.query(put, [at, value]);
      };
      await until(store, 'started');
      // The copy ends with the year, so a later row voids it.
      await write(1);
      expect(await advance(store)).toBe('dropped');
      for (const at of times.slice(3)) await store.query(remove, [at]);
      await untilIdle(store);
      expect((await partitionsOf(store)).length).toBe(2);
      await write(2);
      const rows = await placed(store);
      expect(rows.filter(({ value }) => value === 2n).map(({ at }) => at)).toEqual(times);
    }));

  test('behavior: a copy of pages that have changed since is dropped, and started again', () =>
    onThinned(async (store) => {
      const rows = await poolRows(store);
      await until(store, 'started');
      await until(store, 'copied');
      await store.query(repack);
      await store.query(analyze);
      expect(await advance(store)).toBe('dropped');
      expect(await store.query(left)).toEqual([{ count: 0 }]);
      await untilIdle(store);
      expect(await poolRows(store)).toEqual(rows);
    }));
});

describe('tick space with other sessions', () => {
  test('behavior: a transaction that began before the copy sees every row, and a reader delays the swap', () =>
    withDatabase('postgres', async (database) => {
      const store = await openThinned(database);
      const rows = await poolRows(store);
      const reader = new pg.Client(database.config.databaseUrl);
      await reader.connect();
      try {
        await reader.query('begin isolation level repeatable read; select 1');
        for (let step: SpaceStep | null = null; step !== 'waiting'; ) step = await advance(store);
        const { rows: seen } = await reader.query('select count(*)::int as count from pool_tick');
        expect(seen).toEqual([{ count: rows.length }]);
        await reader.query('commit');
        // A statement that is still open holds the table.
        await reader.query('begin; select count(*) from pool_tick');
        await expect(advance(store)).rejects.toMatchObject({ code: '55P03' });
        expect(await poolRows(store)).toEqual(rows);
        await reader.query('commit');
        expect(await advance(store)).toBe('swapped');
        expect(await poolRows(store)).toEqual(rows);
      } finally {
        await reader.end();
      }
    }));
});
