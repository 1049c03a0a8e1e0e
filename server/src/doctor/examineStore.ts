import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type CheckLine, fail, pass, warn } from '../check/line.ts';
import type { ChainConfig, StoreConfig } from '../config/config.ts';
import { FolderLocked, FolderLockedElsewhere } from '../store/folderLock.ts';
import { type Inspected, inspectReplica, inspectStore } from '../store/inspect.ts';
import { MigrationChanged } from '../store/migrate.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';
import { askGaps, examineGaps } from './examineGaps.ts';
import type { RunningServer } from './runningServer.ts';

const TELLING = [StoreUnavailable, FolderLockedElsewhere, MigrationChanged];
const OLDEST_POSTGRES = 15;
const REPLICA_SECONDS = 10;
const GIGABYTE = 1e9;
const LOW_BYTES = 5 * GIGABYTE;
const NO_BYTES = 0.5 * GIGABYTE;

export async function examineStore(
  config: StoreConfig,
  chains: readonly ChainConfig[],
  running: RunningServer | undefined,
): Promise<CheckLine[]> {
  const lines = await examineDatabase(config, chains, running);
  if (config.replicaUrl !== undefined) lines.push(await examineReplica(config.replicaUrl));
  lines.push(await examineDisk(config));
  return lines;
}

async function examineDatabase(
  config: StoreConfig,
  chains: readonly ChainConfig[],
  running: RunningServer | undefined,
): Promise<CheckLine[]> {
  try {
    const found = await inspectStore(config);
    if (found === undefined) return [pass(`database: ${config.folder} is made by the first start`)];
    return [examineSchema(found), ...examineGaps(found.gaps, chains)];
  } catch (error) {
    if (error instanceof FolderLocked) {
      const gaps = await askGaps(config.folder, error.pid);
      return [ofServer(error, running), ...examineGaps(gaps, chains)];
    }
    // These say themselves what to do.
    if (!TELLING.some((kind) => error instanceof kind)) throw error;
    return [{ ok: false, text: `database: ${(error as Error).message}` }];
  }
}

function examineSchema({ version, pending }: Inspected): CheckLine {
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
    const fix = `take PostgreSQL ${OLDEST_POSTGRES} or newer`;
    return fail('database', `it is PostgreSQL ${version}`, fix);
  }
  if (pending === null) {
    return fail('database', 'a newer Assay has migrated it', 'run that version or a later one');
  }
  if (pending === 0) return pass(`database: PostgreSQL ${version}, migrated`);
  const reason = `PostgreSQL ${version}, without the newest ${pending} changes of its schema`;
  return warn('database', reason, 'make a backup: the next start brings it up to date');
}

/** The folder belongs to a running server, which says how its database is. */
function ofServer({ pid }: FolderLocked, running: RunningServer | undefined): CheckLine {
  if (running === undefined) {
    const reason = `process ${pid} has the store and does not answer on its admin port`;
    return fail('database', reason, 'stop that process, or run this as the same user');
  }
  if (!running.storeUp) {
    return fail('database', `it does not answer process ${pid}`, 'see the log of that process');
  }
  return pass(`database: in use by process ${pid}, version ${running.version}, and answers`);
}

async function examineReplica(url: string): Promise<CheckLine> {
  const fix = 'until it is mended, reads go to the primary';
  try {
    const behind = await inspectReplica(url);
    if (behind === null) return warn('replica', 'it is no replica', 'check DATABASE_REPLICA_URL');
    if (behind > REPLICA_SECONDS)
      return warn('replica', `it is ${Math.round(behind)} s behind`, fix);
    return pass('replica: it follows');
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return warn('replica', 'it does not answer', `check DATABASE_REPLICA_URL; ${fix}`);
  }
}

async function examineDisk({ folder, databaseUrl }: StoreConfig): Promise<CheckLine> {
  if (databaseUrl !== undefined) return pass('disk: that of PostgreSQL is not seen from here');
  // The folder may be made only later.
  let place = resolve(folder);
  while (!existsSync(place)) place = dirname(place);
  const { bavail, bsize } = await statfs(place);
  const free = bavail * bsize;
  const left = `${(free / GIGABYTE).toFixed(1)} GB are left for ${folder}`;
  const fix = 'make room, or move store.folder';
  if (free < NO_BYTES) return fail('disk', left, fix);
  return free < LOW_BYTES ? warn('disk', left, fix) : pass(`disk: ${left}`);
}
