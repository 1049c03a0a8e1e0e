import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createSemaphore } from '../runtime/semaphore.ts';
import { lockFolder } from './folderLock.ts';
import { onlyCurrent } from './freeReads.ts';
import { createHealth } from './health.ts';
import { migrate } from './migrate.ts';
import { createPgliteConnection } from './pgliteConnection.ts';
import { createDataFolder, dataFolder } from './pgliteFolder.ts';
import { startPgliteThread } from './pgliteThread.ts';
import { tend } from './pgliteUpkeep.ts';
import { createWaits, poolUse } from './poolUse.ts';
import { hasRoom } from './room.ts';
import type { Leadership, Param, Queryable, Statement, Store } from './store.ts';
import { type CopyOptions, copyStore, type StoreCopy } from './storeCopy.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import { transact } from './transact.ts';

const TIMEOUT_MS = 60_000;
const UPKEEP_MS = 5_000;

export interface PgliteOptions {
  readonly folder: string;
  /** Called with the name of each step before it starts. */
  readonly onProgress?: ((doing: string) => void) | undefined;
}

/**
 * The embedded store: PGlite on a folder that only this process uses. The system has received what COMMIT acknowledged,
 * so it survives kill -9. PGlite never calls fsync, so a power failure can lose the last writes.
 */
export async function openPglite({ folder, onProgress }: PgliteOptions): Promise<Store> {
  await mkdir(folder, { recursive: true });
  const lock = await lockFolder(folder);
  try {
    if (!existsSync(dataFolder(folder))) onProgress?.('creating the embedded database');
    await createDataFolder(folder);
    onProgress?.('opening the embedded database');
    return await openData(dataFolder(folder), () => lock.release(), onProgress);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openData(
  data: string,
  released: () => Promise<void>,
  onProgress: PgliteOptions['onProgress'],
): Promise<Store> {
  const thread = await startPgliteThread(data);
  const connection = createPgliteConnection(thread);
  const semaphore = createSemaphore({
    atOnce: 1,
    timeout: { ms: TIMEOUT_MS, error: () => new StoreUnavailable('busy') },
  });
  const listeners = new Map<string, Set<(payload: string) => void>>();
  const health = createHealth({ hasRoom: () => hasRoom({ transaction }) });
  const waits = createWaits();
  let inUse = false;
  let closed = false;

  function turn<T>(work: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(new StoreUnavailable('closed'));
    const askedAt = inUse ? performance.now() : undefined;
    return semaphore.run(async () => {
      inUse = true;
      if (askedAt !== undefined) {
        waits.count++;
        waits.ms += performance.now() - askedAt;
      }
      try {
        return await work();
      } finally {
        inUse = semaphore.waiting > 0;
      }
    });
  }

  function query<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]> {
    return health.watch(turn(() => connection.query<Row>(statement, params)));
  }

  function transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return health.watch(turn(() => transact(connection, work)));
  }

  async function lead(): Promise<Leadership> {
    const { promise: over, resolve: end } = promiseOf();
    void thread.ended.then(end);
    return { transaction, lost: over, release: async () => end() };
  }

  async function listen(
    channel: string,
    listener: (payload: string) => void,
  ): Promise<() => Promise<void>> {
    const known = listeners.get(channel) ?? new Set();
    listeners.set(channel, known.add(listener));
    await turn(() => connection.exec(`listen "${channel}"`));
    return async () => {
      known.delete(listener);
    };
  }

  /** PGlite writes only while it processes a request, so its files do not change during a turn. */
  function copyTo(to: string, how?: CopyOptions): Promise<StoreCopy> {
    const settle = () => connection.exec('checkpoint');
    return copyStore({ data, to, alone: turn, settle, ...(how && { how }) });
  }

  thread.onNotification((channel, payload) => {
    for (const listener of listeners.get(channel) ?? []) listener(payload);
  });

  const timer = setInterval(() => {
    // A failure here also fails the next query, which reports it.
    turn(() => tend(connection, semaphore.waiting === 0)).catch(() => undefined);
  }, UPKEEP_MS);
  timer.unref();

  async function close(): Promise<void> {
    if (closed) return;
    const stopped = turn(() => thread.stop());
    closed = true;
    clearInterval(timer);
    health.stop();
    await stopped;
    await released();
  }

  const crashed = thread.ended.then(() => {
    clearInterval(timer);
    return closed ? new Promise<never>(() => undefined) : thread.crash();
  });
  try {
    await migrate(connection, undefined, onProgress);
  } catch (error) {
    await close();
    throw error;
  }
  const pools = () => {
    const [used, idle] = inUse ? [1, 0] : [0, 1];
    return [poolUse('embedded', waits, { inUse: used, idle, waiting: semaphore.waiting })];
  };
  const reads = { query };
  return {
    engine: 'pglite',
    ...{ query, reads, freeReads: onlyCurrent(reads), transaction, lead, listen, copyTo },
    ...{ pools, health, crashed, close },
  };
}

function promiseOf(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
