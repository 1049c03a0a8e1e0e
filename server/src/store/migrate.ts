import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { pause } from '../runtime/pause.ts';
import { StatementFailed } from './statementFailed.ts';
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
const TURN_MS = 100;
const LOCK_MS = 2_000;
const MOST_TRIES = 30;
const LOCK_NOT_AVAILABLE = '55P03';

/** `0020_contract_…`: older versions do not work any more with what it leaves. */
const CONTRACTS = /^\d{4}_contract_/;
/** `0020_…_concurrently`: its statements build indexes, each beside whoever writes. */
const BUILDS = /_concurrently$/;
const INDEX = /^\s*(?:--[^\n]*\n\s*)*create (?:unique )?index concurrently ([a-z0-9_]+)\s/;

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

/**
 * Which migrations are still to run, given those that a store has. What a newer version has added, this one does not
 * mind: only what was taken away or changed breaks it, and such a migration says so by its name.
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly { name: string; checksum: string }[],
): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const migration = byName.get(name);
    if (migration === undefined && CONTRACTS.test(name)) throw new StoreIsNewer(name);
    if (migration !== undefined && migration.checksum !== checksum) {
      throw new MigrationChanged(name);
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  return known.filter(({ name }) => !done.has(name));
}

/**
 * Brings a store up to date while others use it. Processes that start at once take turns: one migrates. What is pending
 * goes in one transaction, but for indexes, which are built without keeping anybody from writing.
 */
export async function migrate(
  session: Session,
  migrations?: readonly Migration[],
  onProgress?: (doing: string) => void,
): Promise<void> {
  const known = migrations ?? (await readMigrations());
  await takeTurn(session);
  try {
    await session.exec(
      `create table if not exists migration (
         id integer primary key, name text not null unique, checksum text not null, applied_at bigint not null)`,
    );
    const { rows: applied } = await session.exec(
      'select name, checksum from migration order by id',
    );
    let together: Migration[] = [];
    const pending = pendingMigrations(known, applied as never);
    if (pending.length > 0) onProgress?.(`upgrading the database (${pending.length} migrations)`);
    for (const migration of pending) {
      if (!BUILDS.test(migration.name)) {
        together.push(migration);
        continue;
      }
      await applyTogether(session, together);
      together = [];
      await buildIndexes(session, migration);
    }
    await applyTogether(session, together);
  } finally {
    // A lost connection has given it back by itself.
    await session.exec(`select pg_advisory_unlock(${LOCK_KEY})`).catch(() => undefined);
  }
}

/** Asks again and again: who waits within a statement would be waited for by who builds an index. */
async function takeTurn(session: Session): Promise<void> {
  for (;;) {
    const { rows } = await session.exec(`select pg_try_advisory_lock(${LOCK_KEY}) as mine`);
    if (rows[0]!.mine === true) return;
    await pause(TURN_MS);
  }
}

async function applyTogether(session: Session, migrations: readonly Migration[]): Promise<void> {
  if (migrations.length === 0) return;
  for (let tries = 1; ; tries++) {
    try {
      // Whoever comes behind a change of a table waits for it as it waits: so it does not wait long.
      await session.exec(`begin; set local lock_timeout = ${LOCK_MS}`);
      for (const migration of migrations) {
        await session.exec(migration.sql);
        await noteDown(session, migration);
      }
      await session.exec('commit');
      return;
    } catch (error) {
      // The first error is the one to tell; a lost connection has rolled back by itself.
      await session.exec('rollback').catch(() => undefined);
      const busy = error instanceof StatementFailed && error.code === LOCK_NOT_AVAILABLE;
      if (!busy || tries >= MOST_TRIES) throw error;
      await pause(TURN_MS * tries);
    }
  }
}

/** Each by itself. One that a killed process left half made is of no use, and is made anew. */
async function buildIndexes(session: Session, migration: Migration): Promise<void> {
  for (const sql of migration.sql.split(';').filter((part) => part.trim() !== '')) {
    const name = INDEX.exec(sql)?.[1];
    if (name === undefined) throw new Error(`${migration.name} may only build indexes`);
    const { rows } = await session.exec(
      `select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass('${name}')`,
    );
    if (rows[0]?.valid === true) continue;
    if (rows.length > 0) await session.exec(`drop index concurrently ${name}`);
    await session.exec(sql);
  }
  await noteDown(session, migration);
}

async function noteDown(session: Session, { id, name, checksum }: Migration): Promise<void> {
  // Name and checksum are made of [a-z0-9_] only.
  await session.exec(
    `insert into migration (id, name, checksum, applied_at)
     values (${id}, '${name}', '${checksum}', extract(epoch from now())::bigint)`,
  );
}
