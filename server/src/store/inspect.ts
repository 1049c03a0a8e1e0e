import { existsSync } from 'node:fs';
import type { StoreConfig } from '../config/config.ts';
import { lockFolder } from './folderLock.ts';
import { type FamilyGap, inspectGaps } from './gaps/familyGaps.ts';
import { pendingMigrations, readMigrations, type Session, StoreIsNewer } from './migrate.ts';
import { inspectLost, type LostAt } from './payments/lostPayments.ts';
import { createPgliteConnection } from './pgliteConnection.ts';
import { dataFolder } from './pgliteFolder.ts';
import { startPgliteThread } from './pgliteThread.ts';
import { connect, exec } from './postgresClient.ts';
import { onPrimary } from './primarySession.ts';
import { inspectReplication, type Replication } from './publication/inspectReplication.ts';
import { createSessionCheck } from './sessionCheck.ts';

/** State of a store, read by commands that only inspect it. */
export interface Inspected {
  /** PostgreSQL's own version text. */
  readonly version: string;
  /** Number of migrations that the next start will run; null: a newer Assay wrote it. */
  readonly pending: number | null;
  /** It rejects writes. */
  readonly readOnly: boolean;
  /** Recorded gaps; unknown before all migrations have run. */
  readonly gaps: readonly FamilyGap[];
  /** Payments served but lost, as far as they may stop sales; unknown before all migrations have run. */
  readonly lost: readonly LostAt[];
  /** Only for a PostgreSQL server, after all migrations. */
  readonly replication?: Replication;
}

/**
 * Changes nothing, unlike opening the store. Undefined if there is no store yet; throws the errors that opening would
 * throw.
 */
export function inspectStore(config: StoreConfig): Promise<Inspected | undefined> {
  return config.databaseUrl === undefined
    ? inspectFolder(config.folder)
    : inspectServer(config.databaseUrl);
}

/** Seconds that a replica is behind; null if the server is no replica. */
export async function inspectReplica(url: string): Promise<number | null> {
  await createSessionCheck().require(url);
  const client = await connect(url);
  try {
    const { rows } = await exec(
      client,
      `select pg_is_in_recovery() as follows,
         case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
              else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) end::float8 as behind`,
      LOOK_MS,
    );
    const [{ follows, behind }] = rows as [{ follows: boolean; behind: number }];
    return follows ? behind : null;
  } finally {
    await client.end();
  }
}

const LOOK_MS = 5_000;

async function inspectServer(url: string): Promise<Inspected> {
  return onPrimary(url, LOOK_MS, async (session) => {
    const found = await look(session);
    if (found.pending !== 0) return found;
    return { ...found, replication: await inspectReplication(session) };
  });
}

async function inspectFolder(folder: string): Promise<Inspected | undefined> {
  const data = dataFolder(folder);
  if (!existsSync(data)) return undefined;
  const lock = await lockFolder(folder);
  try {
    const thread = await startPgliteThread(data);
    try {
      return await look(createPgliteConnection(thread));
    } finally {
      await thread.stop();
    }
  } finally {
    await lock.release();
  }
}

async function look(session: Session): Promise<Inspected> {
  const asked = await session.exec(
    `select current_setting('server_version') as version, to_regclass('migration') is not null as made,
       current_setting('transaction_read_only')::bool as "readOnly"`,
  );
  const [{ made, ...of }] = asked.rows as unknown as [
    { version: string; made: boolean; readOnly: boolean },
  ];
  const applied = made ? (await session.exec('select name, checksum from migration')).rows : [];
  try {
    const pending = pendingMigrations(await readMigrations(), applied as never).length;
    if (pending > 0) return { ...of, pending, gaps: [], lost: [] };
    return { ...of, pending, gaps: await inspectGaps(session), lost: await inspectLost(session) };
  } catch (error) {
    if (error instanceof StoreIsNewer) return { ...of, pending: null, gaps: [], lost: [] };
    throw error;
  }
}
