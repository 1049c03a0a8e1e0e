import { describe, expect, test } from 'vitest';
import { createDatabase, describeEachEngine } from '../../test/database.ts';
import {
  type Migration,
  MigrationChanged,
  migrate,
  pendingMigrations,
  readMigrations,
  type Session,
  StoreIsNewer,
} from './migrate.ts';
import { connect, connectionOf } from './postgresClient.ts';

const first: Migration = { id: 1, name: '0001_first', sql: 'select 1', checksum: 'a' };
const second: Migration = { id: 2, name: '0002_second', sql: 'select 2', checksum: 'b' };

describe('pendingMigrations', () => {
  test('default', () => {
    expect(pendingMigrations([first, second], [])).toEqual([first, second]);
    expect(pendingMigrations([first, second], [first])).toEqual([second]);
    expect(pendingMigrations([first, second], [first, second])).toEqual([]);
  });

  test('error: an applied file has changed', () => {
    const changed = { ...first, checksum: 'other' };
    expect(() => pendingMigrations([changed], [first])).toThrow(MigrationChanged);
  });

  test('behavior: migrations that a newer version added do no harm', () => {
    expect(pendingMigrations([first], [first, second])).toEqual([]);
  });

  test('error: a newer version removed something', () => {
    const contract = { ...second, name: '0002_contract_second' };
    expect(() => pendingMigrations([first], [first, contract])).toThrow(StoreIsNewer);
  });
});

describe('readMigrations', () => {
  test('default', async () => {
    const migrations = await readMigrations();
    expect(migrations.map(({ id }) => id)).toEqual(migrations.map((_, i) => i + 1));
  });
});

describeEachEngine('migrate', (open) => {
  test('default', async () => {
    const store = await open();
    const applied = await store.query<{ name: string; checksum: string }>({
      name: 'test.migrations',
      text: 'select name, checksum from migration order by id',
    });
    expect(pendingMigrations(await readMigrations(), applied)).toEqual([]);
    expect(applied.length).toBeGreaterThan(0);
  });
});

describe('migrate', () => {
  async function onSession(work: (session: () => Promise<Session>) => Promise<void>) {
    const database = await createDatabase('postgres');
    const clients: Awaited<ReturnType<typeof connect>>[] = [];
    async function session(): Promise<Session> {
      const client = await connect(database.config.databaseUrl!);
      clients.push(client);
      return connectionOf(client);
    }
    try {
      await work(session);
    } finally {
      for (const client of clients) await client.end();
      await database.drop();
    }
  }

  test('behavior: all or nothing', () =>
    onSession(async (open) => {
      const session = await open();
      const known = await readMigrations();
      const good = {
        id: 9998,
        name: '9998_good',
        sql: 'create table good (id int)',
        checksum: 'g',
      };
      const bad = { id: 9999, name: '9999_bad', sql: 'create table bad (', checksum: 'x' };
      await expect(migrate(session, [...known, good, bad])).rejects.toThrow();
      expect((await session.exec(`select to_regclass('good') is null as absent`)).rows).toEqual([
        { absent: true },
      ]);
      await migrate(session, [...known, good]);
      expect((await session.exec(`select to_regclass('good') is null as absent`)).rows).toEqual([
        { absent: false },
      ]);
    }));

  test('behavior: processes that start together take turns', () =>
    onSession(async (open) => {
      const known = await readMigrations();
      const slow = {
        id: 9999,
        name: '9999_slow',
        sql: 'create table slow (id int); select pg_sleep(0.2)',
        checksum: 's',
      };
      const sessions = await Promise.all([open(), open(), open()]);
      await Promise.all(sessions.map((session) => migrate(session, [...known, slow])));
      const { rows } = await sessions[0]!.exec(
        'select count(*)::int as n from migration where id = 9999',
      );
      expect(rows).toEqual([{ n: 1 }]);
    }));

  const INDEX = {
    id: 9999,
    name: '9999_noted_concurrently',
    sql: `-- By what is looked for.
      create unique index concurrently noted_n on noted (n);`,
    checksum: 'c',
  };
  const isValid = `select indisvalid as valid from pg_index where indexrelid = to_regclass('noted_n')`;

  test('behavior: an index is built while others write', () =>
    onSession(async (open) => {
      const [session, writer] = [await open(), await open()];
      const known = await readMigrations();
      await session.exec('create table noted (n int)');
      // A transaction that began before must end first; until then, other clients can write.
      await writer.exec('begin; insert into noted values (1)');
      const migrated = migrate(session, [...known, INDEX]);
      const other = await open();
      await expect.poll(async () => (await other.exec(isValid)).rows).toEqual([{ valid: false }]);
      await other.exec('insert into noted values (2)');
      await writer.exec('commit');
      await migrated;
      expect((await session.exec(isValid)).rows).toEqual([{ valid: true }]);
    }));

  test('behavior: the next process rebuilds an index that was left incomplete', () =>
    onSession(async (open) => {
      const session = await open();
      const known = await readMigrations();
      await session.exec('create table noted (n int); insert into noted values (1), (1)');
      await expect(migrate(session, [...known, INDEX])).rejects.toThrow();
      expect((await session.exec(isValid)).rows).toEqual([{ valid: false }]);
      await session.exec('delete from noted');
      await migrate(await open(), [...known, INDEX]);
      expect((await session.exec(isValid)).rows).toEqual([{ valid: true }]);
    }));

  test('behavior: a change that cannot lock its table lets others through, and retries', () =>
    onSession(async (open) => {
      const [session, reader, other] = [await open(), await open(), await open()];
      const known = await readMigrations();
      await session.exec('create table noted (n int)');
      await reader.exec('begin; select * from noted');
      const sql = 'alter table noted add column m int';
      const change = { id: 9999, name: '9999_change', sql, checksum: 'd' };
      const migrated = migrate(session, [...known, change]);
      // Queued behind the pending change; only its timeout lets this one through.
      const waits = `select count(*)::int as n from pg_locks where not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(async () => (await other.exec(waits)).rows).toEqual([{ n: 1 }]);
      await other.exec('insert into noted values (1)');
      await reader.exec('commit');
      await migrated;
      expect((await session.exec('select m from noted')).rows).toEqual([{ m: null }]);
    }));

  test('error: a statement that builds no index in a concurrent migration', () =>
    onSession(async (open) => {
      const known = await readMigrations();
      const other = { ...INDEX, sql: 'drop table family' };
      await expect(migrate(await open(), [...known, other])).rejects.toThrow(
        '9999_noted_concurrently may only build indexes',
      );
    }));
});
