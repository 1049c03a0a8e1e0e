import { describe, expect, test } from 'vitest';
import { withDatabase } from '../../../test/database.ts';
import { getStatements, type Queryable, statement } from '../store.ts';
import './read.ts';

const ROWS = 200_000;

const fill = statement(
  'test.plans.fill',
  `insert into history (block_time, chain_id, block_number, log_index, family_id, type, wallet, assets, shares, usd, tx_hash)
   select 1700000000 + i, (array[1, 10, 8453])[1 + i % 3], i, i % 7, 1 + i % 5, 1 + (i % 11) % 4,
     decode(lpad(to_hex(i % 500), 40, '0'), 'hex'), i, i, case when i % 100 = 0 then 250000 else 10 end,
     decode(lpad(to_hex(i), 64, '0'), 'hex')
   from generate_series(1, ${ROWS}) i`,
);
const analyze = statement('test.plans.analyze', 'analyze history');

const PLACE = '-1, 1700100000, 10, 100000, 1';
const HOMES = "'{1:1,1:10,1:8453,2:1,2:10,2:8453}'";
const CHAINS = "'{1,10,8453}'";
const STREAMS = `${PLACE}, '{1,1,1}', '{1,10,8453}', '{4,4,4}'`;
const WALLET = `'\\x${'ab'.padStart(40, '0')}'`;

/** Each way to page, with the index it must walk and what it is given. */
const PLANS: readonly (readonly [name: string, index: string, values: string])[] = [
  ['history.pageOfAll', 'history_pkey', `${PLACE}, ${HOMES}`],
  ['history.pageOfFamily', 'history_by_family', `${PLACE}, ${CHAINS}, 1`],
  ['history.pageOfWallet', 'history_by_wallet', `${PLACE}, ${HOMES}, ${WALLET}, '{1}', 100000`],
  ['history.pageOfLargeDeposits', 'history_large_deposits', `${PLACE}, ${CHAINS}, 1`],
  ['history.pageOfStreams', 'history_by_stream', STREAMS],
];

async function explain(tx: Queryable, name: string, values: string, mode: string) {
  const { text } = getStatements().find((one) => one.name === `${name}21`)!;
  const run = (sql: string) =>
    tx.query<Record<string, string>>({
      name: `test.${name}.${mode.slice(6)}.${sql.slice(0, 7)}`,
      text: sql,
    });
  await run(`set local plan_cache_mode = ${mode}`);
  await run(`prepare asked as ${text}`);
  const rows = await run(`explain (analyze, timing off, costs off) execute asked(${values})`);
  await tx.query({ name: `test.${name}.${mode.slice(6)}.end`, text: 'deallocate asked' });
  return rows.map((row) => row['QUERY PLAN']!).join('\n');
}

describe('plans of history pages', () => {
  test('default', () =>
    withDatabase('postgres', async (database) => {
      const store = await database.open();
      await store.query(fill);
      await store.query(analyze);
      await store.transaction(async (tx) => {
        for (const mode of ['force_generic_plan', 'force_custom_plan']) {
          for (const [name, index, values] of PLANS) {
            const plan = await explain(tx, name, values, mode);
            expect(plan, `${name}, ${mode}`).toContain(`using ${index} on history`);
            expect(plan, `${name}, ${mode}`).not.toContain('Seq Scan on history');
            // Streams are merged: at most a page of each is sorted.
            if (name !== 'history.pageOfStreams') expect(plan).not.toContain('Sort');
            else expect(plan).toMatch(/actual rows=21(\.00)? loops=3/);
          }
        }
      });
    }));
});
