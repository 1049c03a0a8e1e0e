import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Connection } from './transact.ts';

export type Session = Pick<Connection, 'exec'>;

export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

// The same folder seen from src/store and from dist/store.
const FOLDER = new URL('../../migrations/', import.meta.url);

// Any constant: what matters is that every Assay process takes the same one.
const LOCK_KEY = 4626_0001;

export class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged';
  readonly migration: string;

  constructor(migration: string) {
    super(
      `migration ${migration} was applied to this store with other content: restore the file and put the change in a new migration`,
    );
    this.migration = migration;
  }
}

export class StoreIsNewer extends Error {
  override readonly name = 'StoreIsNewer';
  readonly migration: string;

  constructor(migration: string) {
    super(
      `this store was already migrated by a newer version of Assay (${migration}): run that version or a later one`,
    );
    this.migration = migration;
  }
}

export async function readMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file));
  return Promise.all(
    files.sort().map(async (file) => {
      // Line endings may differ between checkouts of one file.
      const sql = (await readFile(new URL(file, folder), 'utf8')).replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { id: Number(file.slice(0, 4)), name: file.slice(0, -'.sql'.length), sql, checksum };
    }),
  );
}

/** Which migrations are still to run, given those that a store has. */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly { name: string; checksum: string }[],
): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const migration = byName.get(name);
    if (!migration) throw new StoreIsNewer(name);
    if (migration.checksum !== checksum) throw new MigrationChanged(name);
  }
  const done = new Set(applied.map(({ name }) => name));
  return known.filter(({ name }) => !done.has(name));
}

/** Brings a store up to date: all that is pending in one transaction. Processes that start at once take turns. */
export async function migrate(session: Session, migrations?: readonly Migration[]): Promise<void> {
  const known = migrations ?? (await readMigrations());
  await session.exec('begin');
  try {
    await session.exec(`select pg_advisory_xact_lock(${LOCK_KEY})`);
    await session.exec(
      `create table if not exists migration (
         id integer primary key, name text not null unique, checksum text not null, applied_at bigint not null)`,
    );
    const { rows: applied } = await session.exec(
      'select name, checksum from migration order by id',
    );
    for (const migration of pendingMigrations(known, applied as never)) {
      await session.exec(migration.sql);
      // Name and checksum are made of [a-z0-9_] only.
      await session.exec(
        `insert into migration (id, name, checksum, applied_at)
         values (${migration.id}, '${migration.name}', '${migration.checksum}', extract(epoch from now())::bigint)`,
      );
    }
    await session.exec('commit');
  } catch (error) {
    // The first error is the one to tell; a lost connection has rolled back by itself.
    await session.exec('rollback').catch(() => undefined);
    throw error;
  }
}
