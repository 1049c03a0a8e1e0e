import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase, withDatabase } from '../../../test/database.ts';
import { explain, pagesIn } from '../../../test/explain.ts';
import { type Queryable, type Store, statement } from '../store.ts';
import '../ticks/allocation.ts';
import '../ticks/readSeries.ts';
import '../ticks/thinning.ts';
import './exportHistory.ts';
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
const fillVaults = statement(
  'test.plans.fillVaults',
  `with made as (insert into family (slug) select 'exported ' || i from generate_series(1, 5) i returning family_id)
   insert into vault (family_id, chain_id, address, asset_symbol, asset_name, asset_decimals, share, share_symbol, share_name, share_decimals)
   select family_id, chain_id, '', '', '', 6, '', '', '', 6 from made, unnest(array[1, 10, 8453]) chain_id`,
);

const PLACE = '-1, 1700100000, 10, 100000, 1';
const HOMES = "'{1:1,1:10,1:8453,2:1,2:10,2:8453}'";
const CHAINS = "'{1,10,8453}'";
const STREAMS = `${PLACE}, '{1,1,1}', '{1,10,8453}', '{4,4,4}'`;
const EXPORTED = "1, 1700100000, 10, 100000, 1, 500, 'family 3', null, null, null, null, null";
const WALLET = `'\\x${'ab'.padStart(40, '0')}'`;

const fillTicks = statement(
  'test.plans.fillTicks',
  `with made as (insert into family (slug) select 'family ' || i from generate_series(1, 5) i returning family_id),
   rolled as (insert into tick_rollup (family_id, span, bucket, tvl_at, tvl, usd, imported)
     select family_id, 86400, i * 86400, i * 86400 + 86399, i, i, false from made, generate_series(1, 4000) i)
   insert into tick (family_id, at, tvl, usd, imported)
   select family_id, 1700000000 + i * 300, i, i, false from made, generate_series(1, 30000) i`,
);
const analyzeTicks = statement('test.plans.analyzeTicks', 'analyze tick, tick_rollup, family');
const INSTANTS = 500;
const fillPools = statement(
  'test.plans.fillPools',
  `with made as (insert into family (slug) select 'pooled ' || i from generate_series(1, 5) i returning family_id),
   place as (select family_id, chain_id, 1700000000 + i * 3600 as at, i
     from made, unnest(array[1, 10, 8453]) chain_id, generate_series(1, ${INSTANTS}) i),
   states as (insert into chain_tick (family_id, chain_id, at, block_number, idle, invested, pending_exits,
       pending_redemption_assets, share_supply, reward_per_year)
     select family_id, chain_id, at, i, 1, 1, 1, 1, 1, 1 from place)
   insert into pool_tick (family_id, chain_id, pool_id, at, block_number, value, pending_exit, share_price, reward_per_year)
   select family_id, chain_id, decode(lpad(to_hex(pool), 64, '0'), 'hex'), at, i, i, 0, 1, 0
   from place, generate_series(1, 3) pool`,
);
const planMode = statement('test.plans.mode', 'show plan_cache_mode');

/** Series take their limit as a parameter, so the plan must be good without knowing it. */
const SERIES_PLANS: readonly (readonly [name: string, index: string, values: string])[] = [
  ['series.tvlRaw', 'tick_first_pkey', "'family 3', 0, 2000000000, 500"],
  ['series.tvlBucketed', 'tick_rollup_pkey', "'family 3', 86400, 0, 345600000, 1, 0, 1, 0, 500"],
  ['series.splitBucketed', 'tick_rollup_pkey', "'family 3', 86400, 0, 345600000, 1, 0, 1, 0, 500"],
];

/** One lookup for each day of a family; all its ticks for each of them would be millions. */
const MAX_PAGES = 16_000;

/** Each way to page, with its parameters and the index that it must use. */
const PLANS: readonly (readonly [name: string, index: string, values: string])[] = [
  ['history.pageOfAll', 'history_pkey', `${PLACE}, ${HOMES}`],
  ['history.pageOfFamily', 'history_by_family', `${PLACE}, ${CHAINS}, 1`],
  ['history.pageOfWallet', 'history_by_wallet', `${PLACE}, ${HOMES}, ${WALLET}, '{1}', 100000`],
  ['history.pageOfLargeDeposits', 'history_large_deposits', `${PLACE}, ${CHAINS}, 1`],
  ['history.pageOfStreams', 'history_by_stream', STREAMS],
];

describe('plans of history', () => {
  const { open } = useDatabase('postgres');
  let store: Store;
  beforeAll(async () => {
    store = await open();
    // Runs with the deadline of bulk writes, which may take longer than a single statement.
    await store.transaction((tx) => tx.query(fill));
    await store.query(fillVaults);
    await store.query(analyze);
  });

  async function eachMode(check: (tx: Queryable, mode: string) => Promise<void>): Promise<void> {
    await store.transaction(async (tx) => {
      for (const mode of ['force_generic_plan', 'force_custom_plan']) await check(tx, mode);
    });
  }

  test('default: pages', () =>
    eachMode(async (tx, mode) => {
      for (const [name, index, values] of PLANS) {
        const plan = await explain(tx, `${name}21`, values, mode);
        expect(plan, `${name}, ${mode}`).toContain(`using ${index} on history`);
        expect(plan, `${name}, ${mode}`).not.toContain('Seq Scan on history');
        // Streams are merged: at most a page of each is sorted.
        if (name !== 'history.pageOfStreams') expect(plan).not.toContain('Sort');
        else expect(plan).toMatch(/actual rows=21(\.00)? loops=3/);
        // A period with a handful of rows ends the scan: no older rows are read, except those of a wallet, which
        // are few.
        if (name === 'history.pageOfWallet') continue;
        const recent = values.replace('-1,', '1700099990,');
        const short = await explain(tx, `${name}21`, recent, mode);
        expect(pagesIn(short), short).toBeLessThan(90);
      }
    }));

  test('default: the items of a transaction use its index, however the pages are ordered', () => {
    const hash = `'\\x${(77).toString(16).padStart(64, '0')}'`;
    const values = `-1, 1800000000, 10, 100000, 1, ${HOMES}, ${hash}, '{1,2,3,4}', 0, null`;
    return eachMode(async (tx, mode) => {
      const plan = await explain(tx, 'history.pageOfTransaction21', values, mode);
      expect(plan, mode).toContain('history_by_transaction');
      expect(plan, mode).not.toContain('Seq Scan on history');
      expect(pagesIn(plan), plan).toBeLessThan(20);
    });
  });

  test('default: a page of an export reads its rows in their order, and no others', () =>
    eachMode(async (tx, mode) => {
      const plan = await explain(tx, 'export.history', EXPORTED, mode);
      expect(plan, mode).toContain('using history_by_family on history');
      expect(plan, mode).not.toContain('Seq Scan on history h');
      expect(plan, mode).not.toMatch(/Sort Key: [hr]\./);
      expect(plan, mode).toMatch(/Index Scan.* on history .*actual .*rows=500/);
      expect(pagesIn(plan), plan).toBeLessThan(600);
    }));
});

describe('plans of series', () => {
  test('default', () =>
    withDatabase('postgres', async (database) => {
      const store = await database.open();
      await store.transaction((tx) => tx.query(fillTicks));
      await store.transaction(async (tx) => {
        for (const [name, , values] of SERIES_PLANS) {
          const plan = await explain(tx, name, values, 'force_generic_plan');
          expect(pagesIn(plan), `never analyzed: ${name}\n${plan}`).toBeLessThan(MAX_PAGES);
        }
      });
      await store.query(analyzeTicks);
      await store.transaction(async (tx) => {
        for (const [name, index, values] of SERIES_PLANS) {
          const plan = await explain(tx, name, values, 'force_generic_plan');
          expect(plan, name).toContain(`using ${index} on`);
          expect(plan, name).not.toMatch(/Seq Scan on tick/);
        }
      });
    }));
});

describe('plans of pool values', () => {
  test('behavior: a database that was never analyzed looks up each of them', () =>
    withDatabase('postgres', async (database) => {
      const store = await database.open();
      await store.transaction((tx) => tx.query(fillPools));
      const instants = `'{${Array.from({ length: INSTANTS }, (_, i) => 1700003600 + i * 3600)}}'`;
      const ids = [1, 2, 3].map((pool) => `"\\\\x${pool.toString(16).padStart(64, '0')}"`);
      await store.transaction(async (tx) => {
        const keys = `'pooled 3', 10, ${instants}, '{${ids}}'`;
        const plan = await explain(tx, 'poolTicks.valuesAt', keys, 'force_generic_plan');
        const found = INSTANTS * ids.length;
        // The index descent for each value, and for the chain's newest state at each time.
        expect(plan).toMatch(
          new RegExp(`on chain_tick_first c \\(actual rows=1(\\.00)? loops=${INSTANTS}\\)`),
        );
        expect(plan).toMatch(
          new RegExp(`on pool_tick_first pool_tick \\(actual rows=${found}(\\.00)? loops=1\\)`),
        );
        expect(pagesIn(plan), plan).toBeLessThan(found * 8);
      });
    }));
});

/** A day of 500 ticks by the hour; the others must not be read. */
const THINNED: readonly (readonly [name: string, values: string])[] = [
  ['thinning.next', '3, 1700092800'],
  ['thinning.instants', "3, '{3}', 3600, 1700092800, 1700179200"],
  ['thinning.states', "3, 10, 3600, 1700092800, 1700179200, '{1700094000}'"],
  ['thinning.removeTicks', "3, 1700092800, 1700179200, '{1700094000}'"],
  ['thinning.removeStates', "3, 10, 1700092800, 1700179200, '{1700094000}'"],
  ['thinning.removePools', "3, 10, 1700092800, 1700179200, '{1700094000}'"],
];
const fillThinned = statement(
  'test.plans.fillThinned',
  `with declared as (insert into pool (family_id, chain_id, block_number, log_index, block_time, pool_id, offchain_id,
       venue, venue_kind, idle_only, status, risk_score, epoch)
     select distinct family_id, chain_id, 1, get_byte(pool_id, 31), 1, pool_id, 'pool', '\\x01'::bytea, 1, false, 1, 1, 1
     from pool_tick),
   read as (insert into source (chain_id, key, family_id, fingerprint, start_block, indexed_block, indexed_time)
     select distinct chain_id, 'family:' || family_id, family_id, 'x', 1, 1, 1 from chain_tick)
   insert into tick (family_id, at, tvl, ratio_assets, ratio_shares, invested, imported)
   select family_id, at, 1, 1, 1, 1, false from chain_tick where chain_id = 10`,
);
const analyzePools = statement(
  'test.plans.analyzePools',
  'analyze tick, chain_tick, pool_tick, pool',
);

describe('plans of thinning', () => {
  test('behavior: thinning a day does not read the others, analyzed or not', () =>
    withDatabase('postgres', async (database) => {
      const store = await database.open();
      await store.transaction((tx) => tx.query(fillPools));
      await store.transaction((tx) => tx.query(fillThinned));
      const run = async (analyzed: string) => {
        const undone = store.transaction(async (tx) => {
          for (const [name, values] of THINNED) {
            const plan = await explain(tx, name, values, 'auto');
            expect(plan, name).not.toMatch(/Seq Scan on (tick|chain_tick|pool_tick)/);
            // 24 states and 72 pool values of the day, each with the index descent to its pool's first.
            expect(pagesIn(plan), `${name}, ${analyzed}\n${plan}`).toBeLessThan(700);
          }
          throw new Undone();
        });
        await expect(undone).rejects.toThrow(Undone);
      };
      await run('never analyzed');
      await store.query(analyzePools);
      await run('analyzed');
    }));
});

class Undone extends Error {}

describe('connections for reads', () => {
  test('behavior: a plan is made once', () =>
    withDatabase('postgres', async (database) => {
      const store = await database.open();
      expect(await store.reads.query(planMode)).toEqual([
        { plan_cache_mode: 'force_generic_plan' },
      ]);
    }));
});
