import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type CheckLine, fail, pass, warn } from '../check/line.ts';
import type { ChainConfig, StoreConfig } from '../config/config.ts';
import { FolderLocked, FolderLockedElsewhere } from '../store/folderLock.ts';
import { readFreeBytes } from '../store/freeSpace.ts';
import { type Inspected, inspectReplica, inspectStore } from '../store/inspect.ts';
import { MigrationChanged } from '../store/migrate.ts';
import { describeOutage, StoreUnavailable } from '../store/storeUnavailable.ts';
import { askGaps, examineGaps } from './examineGaps.ts';
import { examineReplication } from './examineReplication.ts';
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
    if (found === undefined)
      return [pass(`database: ${config.folder} is created at the first start`)];
    return [
      examineSchema(found),
      ...examineWrites(found, running),
      ...(found.replication === undefined ? [] : examineReplication(found.replication)),
      ...examineGaps(found.gaps, chains),
    ];
  } catch (error) {
    if (error instanceof FolderLocked) {
      const gaps = await askGaps(config.folder, error.pid);
      return [ofServer(error, running), ...examineGaps(gaps, chains)];
    }
    // These messages already say what to do.
    if (!TELLING.some((kind) => error instanceof kind)) throw error;
    return [{ ok: false, text: `database: ${(error as Error).message}` }];
  }
}

function examineSchema({ version, pending }: Inspected): CheckLine {
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
    const fix = `use PostgreSQL ${OLDEST_POSTGRES} or newer`;
    return fail('database', `it is PostgreSQL ${version}`, fix);
  }
  if (pending === null) {
    return fail(
      'database',
      'a newer version of Assay has migrated it',
      'run that version or a later one',
    );
  }
  if (pending === 0) return pass(`database: PostgreSQL ${version}, migrated`);
  const reason = `PostgreSQL ${version}, without the newest ${pending} schema changes`;
  return warn('database', reason, 'make a backup: the next start upgrades it');
}

/** Only a write shows that a database is full, so the running server reports that. */
function examineWrites({ readOnly }: Inspected, running: RunningServer | undefined): CheckLine[] {
  const outage = readOnly ? 'read-only' : running?.storeOutage;
  if (outage !== 'read-only' && outage !== 'full') return [];
  return [{ ok: false, text: `database: ${describeOutage(outage)}` }];
}

/** A running server uses the folder and reports the state of its database. */
function ofServer({ pid }: FolderLocked, running: RunningServer | undefined): CheckLine {
  if (running === undefined) {
    const reason = `process ${pid} uses the store and does not respond on its admin port`;
    return fail('database', reason, 'stop that process, or run this as the same user');
  }
  if (!running.storeUp) {
    return fail('database', `it does not respond to process ${pid}`, 'see the log of that process');
  }
  if (running.storeOutage === 'full') {
    return { ok: false, text: `database: ${describeOutage('full')}` };
  }
  return pass(`database: in use by process ${pid}, version ${running.version}, and available`);
}

async function examineReplica(url: string): Promise<CheckLine> {
  const fix = 'until it is fixed, reads go to the primary';
  try {
    const behind = await inspectReplica(url);
    if (behind === null)
      return warn('replica', 'it is not a replica', 'check DATABASE_REPLICA_URL');
    if (behind > REPLICA_SECONDS)
      return warn('replica', `it is ${Math.round(behind)} s behind`, fix);
    return pass('replica: it is up to date');
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    if (error.outage === 'pooled') return { ok: false, text: `replica: ${error.message}` };
    return warn('replica', 'it does not respond', `check DATABASE_REPLICA_URL; ${fix}`);
  }
}

async function examineDisk({ folder, databaseUrl }: StoreConfig): Promise<CheckLine> {
  if (databaseUrl !== undefined)
    return pass('disk: that of PostgreSQL cannot be checked from here');
  // The folder may be created later.
  let place = resolve(folder);
  while (!existsSync(place)) place = dirname(place);
  const free = await readFreeBytes(place);
  const left = `${(free / GIGABYTE).toFixed(1)} GB are free for ${folder}`;
  const fix = 'free some space, or move store.folder';
  if (free < NO_BYTES) return fail('disk', left, fix);
  return free < LOW_BYTES ? warn('disk', left, fix) : pass(`disk: ${left}`);
}
