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

// Any constant, as long as every Assay process uses the same one.
const LOCK_KEY = 4626_0001;
const TURN_MS = 100;
const LOCK_MS = 2_000;
const MAX_TRIES = 30;
const LOCK_NOT_AVAILABLE = '55P03';

/** `0020_contract_…`: older versions do not work with the resulting schema. */
const CONTRACTS = /^\d{4}_contract_/;
/** `0020_…_concurrently`: its statements build indexes while other clients write. */
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
 * Returns the migrations that are still to run, given those that a store has. Migrations that a newer version added are
 * harmless, unless they remove or change something, which their name shows.
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
 * Upgrades a store while others use it. Of processes that start together, one migrates at a time. All pending
 * migrations run in one transaction, except indexes, which are built without blocking writers.
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
    // A lost connection has released it.
    await session.exec(`select pg_advisory_unlock(${LOCK_KEY})`).catch(() => undefined);
  }
}

/** Polls, because an index build would wait for a statement that is blocked here. */
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
      // Queries that queue behind a table change wait as long as it does, so its wait is short.
      await session.exec(`begin; set local lock_timeout = ${LOCK_MS}`);
      for (const migration of migrations) {
        await session.exec(migration.sql);
        await noteDown(session, migration);
      }
      await session.exec('commit');
      return;
    } catch (error) {
      // Report the first error; a lost connection has already rolled back.
      await session.exec('rollback').catch(() => undefined);
      const busy = error instanceof StatementFailed && error.code === LOCK_NOT_AVAILABLE;
      if (!busy || tries >= MAX_TRIES) throw error;
      await pause(TURN_MS * tries);
    }
  }
}

/** Runs each statement alone. An index that a killed process left incomplete is unusable, and is built again. */
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
  // Name and checksum consist of [a-z0-9_] only.
  await session.exec(
    `insert into migration (id, name, checksum, applied_at)
     values (${id}, '${name}', '${checksum}', extract(epoch from now())::bigint)`,
  );
}
