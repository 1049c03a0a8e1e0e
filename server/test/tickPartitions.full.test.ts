import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, readMigrations, type Session } from '../src/store/migrate.ts';
import { openStore } from '../src/store/open.ts';
import { connect, connectionOf } from '../src/store/postgresClient.ts';
import { publish, subscriberSchema } from '../src/store/publication/publication.ts';
import type { Store } from '../src/store/store.ts';
import { tickSpace } from '../src/store/ticks/tickSpace.ts';
import { ensurePostgres, type PostgresProcess } from './postgresServer.ts';

const WAIT = { timeout: 60_000 };
const NOW = 1_728_000_000;
const NEXT_YEAR = Date.UTC(2025, 0, 1) / 1_000;
const ROWS = 3_000;
const TABLES = ['pool_tick', 'chain_tick', 'tick'];

let folder: string;
let primary: PostgresProcess;
let other: PostgresProcess;
let source: pg.Client;
let copy: pg.Client;
let session: Session;
let store: Store | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-partitions-'));
  primary = await ensurePostgres({ wal_level: 'logical' });
  other = await ensurePostgres();
  source = await connect(primary.url);
  copy = await connect(other.url);
  session = connectionOf(source);
}, 120_000);
afterAll(async () => {
  await store?.close();
  await source?.end();
  await copy?.end();
  await other?.stop();
  await primary?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
}, 60_000);

function insertTicks(from: number, to: number): string {
  const at = `${NOW} - i * 300`;
  const range = `generate_series(${from}, ${to}) i`;
  return `
    insert into pool_tick (family_id, chain_id, pool_id, at, block_number, value, pending_exit, share_price, reward_per_year)
      select 1, 10, '\\x01', ${at}, i, i, 0, 1, 0 from ${range};
    insert into chain_tick (family_id, chain_id, at, block_number, idle, invested, pending_exits,
        pending_redemption_assets, share_supply, reward_per_year)
      select 1, 10, ${at}, i, 1, 1, 1, 1, 1, 1 from ${range};
    insert into tick (family_id, at, tvl, imported) select 1, ${at}, i, false from ${range};`;
}

async function rowsOf(client: pg.Client): Promise<string[]> {
  const texts = TABLES.map(
    (table) => `select '${table}' || to_jsonb(t)::text as row from ${table} t`,
  );
  const { rows } = await client.query<{ row: string }>(`${texts.join(' union all ')} order by 1`);
  return rows.map(({ row }) => row);
}

async function expectEqual(): Promise<void> {
  const differs = async () => (await rowsOf(copy)).join() !== (await rowsOf(source)).join();
  await expect.poll(differs, WAIT).toBe(false);
}

describe.sequential('a store of the previous version, with a subscriber', () => {
  test('default: its tick tables become partitions while they are read, and keep rights and subscriber', async () => {
    const all = await readMigrations();
    const upTo = all.findIndex(({ name }) => name.endsWith('_tick_partitions'));
    await migrate(session, all.slice(0, upTo));
    await source.query(`create role analyst; grant select on ${TABLES.join(', ')} to analyst;
      insert into family (slug) values ('f'); ${insertTicks(1, ROWS)}`);
    await publish(session, NOW);
    for (const text of await subscriberSchema(session)) await copy.query(text);
    await copy.query(`create subscription assay connection 'host=127.0.0.1 port=${primary.port} user=postgres dbname=postgres'
      publication assay`);
    await expectEqual();
    await source.query(insertTicks(ROWS + 1, ROWS + 10));
    // A statement that the previous version prepared.
    const prepared = { name: 'before', text: 'select count(*)::int as count from pool_tick' };
    await source.query(prepared);
    await migrate(session, all);
    expect((await source.query(prepared)).rows).toEqual([{ count: ROWS + 10 }]);
    await source.query(`set role analyst; select * from ${TABLES.join(', ')} limit 1; reset role`);
    await source.query(insertTicks(ROWS + 11, ROWS + 20));
    await source.query(
      'delete from tick where at % 900 = 0; update pool_tick set value = 7 where at % 1800 = 0',
    );
    await expectEqual();
  }, 120_000);

  test('behavior: a subscriber has the same rows after partitions were copied and swapped', async () => {
    store = await openStore({ folder, databaseUrl: primary.url });
    await source.query(
      TABLES.map((table) => `delete from ${table} where at % 86400 <> 0`).join(';'),
    );
    await source.query(`analyze ${TABLES.join(', ')}`);
    const done: unknown[] = [];
    for (let i = 1; done.at(-1) !== null; i++) {
      done.push(
        await store.transaction((tx) =>
          tickSpace.advance(tx, { now: NOW, mayStart: true, minBytes: 32_768, pages: 4 }),
        ),
      );
      if (i < 20) await source.query(insertTicks(-i, -i));
    }
    expect(done.filter((step) => step === 'swapped')).toHaveLength(TABLES.length);
    await source.query(
      `insert into tick (family_id, at, tvl, imported) values (1, ${NEXT_YEAR}, 1, false)`,
    );
    const { rows } = await source.query(
      `select distinct tableoid::regclass::text as name from tick order by 1`,
    );
    expect(rows).toEqual([{ name: 'tick_2025_01_01' }, { name: 'tick_first' }]);
    await expectEqual();
    // The tables are published by their own names: a subscriber knows no partitions.
    const { rows: published } = await source.query(
      `select tablename from pg_publication_tables where tablename ~ 'tick_(first|2025|.*new)'`,
    );
    expect(published).toEqual([]);
  }, 120_000);
});
