import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../../scripts/docSnippets.ts';
import { storeMetrics } from '../src/assembly/storeMetrics.ts';
import type { Config } from '../src/config/config.ts';
import { examineStore } from '../src/doctor/examineStore.ts';
import { blocks } from '../src/store/blocks/blocks.ts';
import { openStore } from '../src/store/open.ts';
import { PUBLICATION_VERSION, PUBLISHED_TABLES } from '../src/store/publication/publishedTables.ts';
import type { Store } from '../src/store/store.ts';
import { act, createRandom, mineBlocks } from './activity.ts';
import { runCommand } from './commandLine.ts';
import { type Indexing, startIndexing } from './indexing.ts';
import { ensurePostgres, type PostgresProcess } from './postgresServer.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const FINALITY = 12;
const WAIT = { timeout: 60_000 };
const SQL = blocksOf('docs/replication.md', 'sql');
const TABLES = Object.entries(PUBLISHED_TABLES);

let served: ServedWorld;
let config: Config;
let folder: string;
let file: string;
let primary: PostgresProcess;
let other: PostgresProcess;
let source: pg.Client;
let copy: pg.Client;
let store: Store;
let indexing: Indexing;

beforeAll(async () => {
  served = await serveWorld({ seed: 'publication' });
  folder = await mkdtemp(join(tmpdir(), 'assay-publication-'));
  // Ticks are announced too, so that reorgs retract them.
  const edit = (content: object) => Object.assign(content, { events: { ticks: true } });
  const options = { chain: { finality: { depth: FINALITY }, pollSeconds: 0.1 }, edit };
  config = served.config(options);
  file = join(folder, 'assay.yaml');
  await writeFile(file, served.yaml({ ...options, storeFolder: join(folder, 'store') }));
  primary = await ensurePostgres();
  other = await ensurePostgres();
  store = await openStore({ folder, databaseUrl: primary.url });
  source = await connect(primary);
  copy = await connect(other);
  indexing = startIndexing(store, config);
}, 120_000);
afterAll(async () => {
  await indexing?.stop();
  await store?.close();
  await source?.end();
  await copy?.end();
  await other?.stop();
  await primary?.stop();
  await served?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
}, 60_000);

describe.sequential('a subscriber, as docs/replication.md sets it up', () => {
  test('error: the log has no rows, no rights, no PostgreSQL', async () => {
    expect(await publish('create')).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /^the publication has version .*^FAIL replication: wal_level is /ms,
      ),
    });
    expect(await publish('drop')).toMatchObject({ code: 0 });
    await source.query(
      'create role guest login; grant select on all tables in schema public to guest',
    );
    const asGuest = primary.url.replace('postgres@', 'guest@');
    expect(await publish('create', { DATABASE_URL: asGuest })).toEqual({
      code: 2,
      out: '',
      err: 'assay: the role guest may not create the publication; run as an administrator: grant create on database postgres to guest; the role must also own the tables\n',
    });
    expect(await publish('create', {})).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^assay: the embedded database has no logical replication; use /),
    });
    expect(await examineReplication()).toEqual([]);
  }, 120_000);

  test('default: ends with the same rows, through reorgs', async () => {
    await restartAsLogical();
    expect(await publish('create')).toMatchObject({ code: 0 });
    await source.query(snippet('-- primary'));
    await copy.query((await publish('schema')).out);
    await copy.query(snippet('-- subscriber\n'));
    await live(1);
    await expectEqual();
    await live(2);
    await source.query(OTHER_ROWS);
    await expectEqual();
    const empty = TABLES.filter(([table]) => rowsOfCopy.get(table)!.length === 0);
    expect(empty.map(([table]) => table)).toEqual([]);
    expect(rowsOfCopy.get('publication_version')!.join()).toContain(
      `"version": ${PUBLICATION_VERSION},`,
    );
  }, 240_000);

  test('behavior: updates and deletes reach the copy of each table', async () => {
    await indexing.stop();
    for (const [table, columns] of TABLES) {
      const last = columns.split(', ').at(-1)!;
      const first = `(select ctid from ${table} order by ctid limit 1)`;
      await source.query(`update ${table} set ${last} = null where ctid = ${first}`).catch(() => {
        // Some columns are not nullable.
      });
      await source.query(`delete from ${table} where ctid = ${first}`).catch((error: Error) => {
        // Other tables reference the families.
        if (!error.message.includes('violates foreign key')) throw error;
      });
    }
    await expectEqual();
  }, 120_000);

  test('behavior: the upgrade of an older publication', async () => {
    const older = TABLES.filter(([table]) => table !== 'governance').map(([table, columns]) =>
      table === 'history'
        ? `history (${columns.replace(' wallet,', '')})`
        : `${table} (${columns})`,
    );
    await source.query(`alter publication assay set table ${older.join(', ')}`);
    await source.query(
      "insert into publication_version values ('assay', 0, 0) on conflict (publication) do update set version = 0",
    );
    await copy.query('alter subscription assay refresh publication');
    await copy.query('drop table governance; alter table history drop column wallet');
    expect(await examineReplication()).toContainEqual(
      expect.stringMatching(/^warn replication: the publication has version 0 /),
    );

    await copy.query((await publish('schema')).out);
    expect(await publish('create')).toMatchObject({ code: 0 });
    await source.query(snippet('-- primary').replace(/^create role.*$/m, ''));
    await copy.query(snippet('-- subscriber: new version'));
    indexing = startIndexing(store, config);
    await live(3);
    // In rows from an older version, the column is null.
    await copy.query('update history set wallet = null');
    await source.query(
      'delete from history where block_time < (select max(block_time) from history)',
    );
    await source.query('update history set log_index = log_index + 100000');
    await indexing.stop();
    await expectEqual();
  }, 120_000);

  test('behavior: monitors slots', async () => {
    await expect
      .poll(examineReplication, WAIT)
      .toContainEqual(expect.stringMatching(/^ok replication: the subscriber of slot assay is \d/));
    // The temporary slots of the initial copy are gone once it is complete.
    await expect.poll(slotSamples, WAIT).toEqual({ lag: [expect.any(Number)], active: [1] });
    await copy.query('alter subscription assay disable');
    await expect
      .poll(examineReplication, WAIT)
      .toContainEqual(
        expect.stringMatching(/^warn replication: slot assay has had no subscriber .*retains \d/),
      );
    const { lag, active } = await slotSamples();
    expect(active).toEqual([0]);
    await source.query('create table filler as select generate_series(1, 10000) as number');
    await expect.poll(async () => (await slotSamples()).lag[0]).toBeGreaterThan(lag[0]! + 100_000);
    await copy.query('drop subscription assay');
    expect(await publish('drop')).toEqual({
      code: 0,
      out: 'the publication is removed\nthere is no publication\n',
      err: '',
    });
    expect(await slotSamples()).toEqual({ lag: [], active: [] });
  }, 120_000);
});

/** Rows for tables that these chains do not fill. */
const OTHER_ROWS = `
  insert into gap (family_id, chain_id, reason, from_block, to_block, from_time, to_time, found_at, initial)
    select family_id, 1, 'state', 1, 2, 3, 4, 5, true from family;
  insert into history_vault (chain_id, block_number, log_index, family_id, vault) values (1, 2, 3, 4, '\\x05');
  insert into alert_transition (name, family_id, chain_id, kind, status, at, block_number, value, bound, by_clock, targets)
    values ('a', 1, 1, 'tvl', 1, 2, 3, 4, 5, false, '{x}');
  insert into governance (family_id, block_time, chain_id, block_number, log_index, tx_hash, contract, kind, event)
    select family_id, 1, 1, 2, 3, '\\x04', '\\x05', 'owner', 'x' from family;
  insert into price_outage (family_id, chain_id, block_number, log_index, block_time, feed, ended)
    values (1, 1, 2, 3, 4, 'x', true) on conflict do nothing;
  insert into event_note (seq, place, type, family_id, block_number, block_time, detail)
    values (1, 1000, 5, 0, 1, 2, '{}') on conflict do nothing`;

async function connect({ url }: PostgresProcess): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function restartAsLogical(): Promise<void> {
  await source.query('alter system set wal_level = logical');
  await source.end();
  await primary.halt('fast');
  await primary.start();
  source = await connect(primary);
  await indexing.until((rows) => rows.every(({ state }) => state === 'live'));
}

function publish(action: string, env: Record<string, string> = { DATABASE_URL: primary.url }) {
  return runCommand(['publish', action, '--config', file], env);
}

/** Returns a code block of the page, with this primary's address. */
function snippet(first: string): string {
  const text = SQL.find((block) => block.startsWith(first))!;
  return text.replace(
    'host=primary.example dbname=assay',
    `host=127.0.0.1 port=${primary.port} dbname=postgres`,
  );
}

async function examineReplication(): Promise<string[]> {
  const lines = await examineStore({ folder, databaseUrl: primary.url }, config.chains, undefined);
  return lines
    .filter(({ text }) => text.startsWith('replication:'))
    .map(({ ok, warning, text }) => `${!ok ? 'FAIL' : warning ? 'warn' : 'ok'} ${text}`);
}

async function slotSamples() {
  const { gauges } = storeMetrics(store);
  const values = async (name: string) => {
    const samples = await gauges.find((gauge) => gauge.name === name)!.read();
    return samples.map(({ value }) => value);
  };
  return {
    lag: await values('assay_store_slot_lag_bytes'),
    active: await values('assay_store_slot_active'),
  };
}

async function live(seed: number): Promise<void> {
  const random = createRandom(seed);
  for (const { chainId } of served.world.chains) {
    await mineBlocks(served.world, chainId, 6, random);
    await caughtUp();
    const { chain } = served.world.chain(chainId);
    const { time } = chain.tip;
    const fill = () => act(served.world, chainId, random);
    await chain.reorg({
      depth: 5,
      blocks: Array.from({ length: 7 }, (_, i) => ({ timestamp: time + i, fill })),
    });
    await caughtUp();
  }
}

async function caughtUp(): Promise<void> {
  const hashes = new Map<number, string>();
  for (const { chainId, chain } of served.world.chains) {
    hashes.set(chainId, (await chain.head()).hash);
  }
  await indexing.until(async (rows) => {
    if (rows.length < hashes.size || rows.some(({ state }) => state !== 'live')) return false;
    for (const [chainId, hash] of hashes) {
      if ((await blocks.getOfChain(store, chainId)).at(-1)?.hash !== hash) return false;
    }
    return true;
  });
}

const rowsOfCopy = new Map<string, string[]>();

/** Expects the copy to contain exactly the published rows. */
async function expectEqual(): Promise<void> {
  const differing = async () => {
    const found: string[] = [];
    for (const [table, columns] of TABLES) {
      const rows = await readRows(copy, table, columns);
      rowsOfCopy.set(table, rows);
      if (rows.join('\n') !== (await readRows(source, table, columns)).join('\n'))
        found.push(table);
    }
    return found;
  };
  await expect.poll(differing, WAIT).toEqual([]);
}

async function readRows(client: pg.Client, table: string, columns: string): Promise<string[]> {
  const { rows } = await client.query<{ row: string }>(
    `select to_jsonb(t)::text as row from (select ${columns} from ${table}) t order by 1`,
  );
  return rows.map(({ row }) => row);
}
