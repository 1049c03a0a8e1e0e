import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDatabase, describeEachEngine, withDatabase } from '../../../test/database.ts';
import { explain, pagesIn } from '../../../test/explain.ts';
import type { Address } from '../../domain/hex.ts';
import { families } from '../families/families.ts';
import { migrate, readMigrations } from '../migrate.ts';
import { connect, connectionOf } from '../postgresClient.ts';
import { type Queryable, statement } from '../store.ts';
import { findHolderTotals, getHolders } from './holders.ts';
import { positions } from './positions.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_261_118);

const walletOf = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`;
const positionOf = (shares: bigint) => ({ shares, cost: 0n, realized: 0n, sharesOn: new Map() });
const heldBy = (held: readonly (readonly [number, bigint])[]) =>
  new Map(held.map(([i, shares]) => [walletOf(i), positionOf(shares)] as const));

async function expectExact(db: Queryable, slug: string) {
  const totals = (await findHolderTotals(db, slug))!;
  expect([totals.keptHolders, totals.keptShares]).toEqual([
    totals.countedHolders,
    totals.countedShares,
  ]);
  return totals;
}

describeEachEngine('holders', (open) => {
  test('default', async () => {
    const store = await open();
    const rows = await families.register(store, ['held', 'other']);
    const idOf = (slug: string) => rows.find((row) => row.slug === slug)!.familyId;
    await positions.upsert(
      store,
      idOf('held'),
      heldBy([
        [1, 5n],
        [2, 7n],
        [3, 0n],
        [4, 7n],
      ]),
    );
    await positions.upsert(store, idOf('other'), heldBy([[1, 100n]]));
    expect(await getHolders(store, 'held', 2)).toEqual({
      until: null,
      holders: 3,
      shares: 19n,
      largest: [
        { wallet: walletOf(2), shares: 7n },
        { wallet: walletOf(4), shares: 7n },
      ],
    });
    expect(await getHolders(store, 'unknown', 2)).toEqual({
      until: null,
      holders: 0,
      shares: 0n,
      largest: [],
    });
  });

  test(`behavior: the total is exact after any writes, including those that are rolled back (seed ${SEED})`, async () => {
    const store = await open();
    const rows = await families.register(store, ['drawn']);
    const { familyId } = rows.find(({ slug }) => slug === 'drawn')!;
    const wallet = fc.integer({ min: 0, max: 6 });
    const held = fc.array(fc.tuple(wallet, fc.bigInt(0n, 3n)), { minLength: 1, maxLength: 5 });
    const change = fc.oneof(
      { weight: 6, arbitrary: held.map((rows) => ({ kind: 'upsert' as const, rows })) },
      {
        weight: 3,
        arbitrary: fc
          .array(wallet, { maxLength: 4 })
          .map((gone) => ({ kind: 'remove' as const, gone })),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'removeAll' as const }) },
    );
    const steps = fc.array(fc.tuple(change, fc.boolean()), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (drawn) => {
        for (const [step, kept] of drawn) {
          const done = store.transaction(async (tx) => {
            if (step.kind === 'upsert') await positions.upsert(tx, familyId, heldBy(step.rows));
            else if (step.kind === 'remove')
              await positions.remove(tx, familyId, step.gone.map(walletOf));
            else await positions.removeOfFamily(tx, familyId);
            await expectExact(tx, 'drawn');
            if (!kept) throw new Undone();
          });
          if (kept) await done;
          else await expect(done).rejects.toThrow(Undone);
          await expectExact(store, 'drawn');
        }
      }),
      { numRuns: 15, seed: SEED },
    );
  });
});

class Undone extends Error {}

const fill = statement(
  'test.holders.fill',
  `insert into position (family_id, wallet, shares, shares_on, cost, realized)
   select $1, decode(lpad(to_hex(i), 40, '0'), 'hex'), i % 5000, '{}', 0, 0 from generate_series(1, 50000) i`,
);
const analyze = statement('test.holders.analyze', 'analyze position');
const dropIndex = statement('test.holders.dropIndex', 'drop index position_by_shares');

describe('plans of holders', () => {
  test('behavior: reads only the returned rows, regardless of the number of holders', () =>
    withDatabase('postgres', async (database) => {
      const store = await database.open();
      const [family] = await families.register(store, ['large']);
      await store.transaction((tx) => tx.query(fill, [family!.familyId]));
      await store.query(analyze);
      await expectExact(store, 'large');
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        await store.transaction(async (tx) => {
          expect(pagesIn(await explain(tx, 'positions.largest', `'large', 10`, mode))).toBeLessThan(
            30,
          );
          expect(pagesIn(await explain(tx, 'positions.holderTotal', `'large'`, mode))).toBeLessThan(
            10,
          );
        });
      }
      await store.transaction(async (tx) => {
        await tx.query(dropIndex);
        const plan = await explain(tx, 'positions.largest', `'large', 10`, 'force_generic_plan');
        expect(pagesIn(plan), 'without the index').toBeGreaterThan(300);
      });
    }));
});

describe('upgrade to stored totals', () => {
  test('behavior: existing rows are counted, and a version that does not know the total keeps it exact', async () => {
    const database = await createDatabase('postgres');
    const client = await connect(database.config.databaseUrl!);
    try {
      const session = connectionOf(client);
      const all = await readMigrations();
      await session.exec('drop schema public cascade; create schema public');
      await migrate(
        session,
        all.filter(({ id }) => id <= 29),
      );
      await session.exec(`
        insert into family (slug) values ('old');
        insert into position (family_id, wallet, shares, shares_on, cost, realized)
        values (1, '\\x01', 5, '{}', 0, 0), (1, '\\x02', 0, '{}', 0, 0), (1, '\\x03', 9, '{}', 0, 0)`);
      await migrate(session, all);
      const kept = async () =>
        (await session.exec('select holders::int as n, shares::int as s from holder_total')).rows;
      expect(await kept()).toEqual([{ n: 2, s: 14 }]);
      await session.exec(`
        insert into position (family_id, wallet, shares, shares_on, cost, realized)
        values (1, '\\x02', 4, '{}', 0, 0), (1, '\\x04', 1, '{}', 0, 0)
        on conflict (family_id, wallet) do update set shares = excluded.shares;
        delete from position where wallet = '\\x03'`);
      expect(await kept()).toEqual([{ n: 3, s: 10 }]);
    } finally {
      await client.end();
      await database.drop();
    }
  });
});
