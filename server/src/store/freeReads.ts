import { findAway, type StoreHealth } from './health.ts';
import { isOutage } from './postgresFault.ts';
import type { ReplicaLag } from './replicaLag.ts';
import type { Param, Queryable, Statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** Reads for free routes: while the primary is away, a replica serves them for a limited time. */
export interface FreeReads extends Queryable {
  /** How many reads the replica served while the primary was away. */
  staleCount(): number;
  /** When the replica that served the last of them was known to be complete, in milliseconds of `performance.now()`. */
  knownAt(): number;
}

/** Without a replica, no read is stale. */
export function onlyCurrent(reads: Queryable): FreeReads {
  return { query: reads.query, staleCount: () => 0, knownAt: () => performance.now() };
}

export function createFreeReads(deps: {
  /** Current reads. */
  readonly reads: Queryable;
  /** With the deadlines of the primary, because no other host can serve them. */
  readonly replica: Queryable;
  readonly lag: Pick<ReplicaLag, 'freshAt'>;
  readonly health: Pick<StoreHealth, 'outage'>;
  /** Maximum age of their data; 0: never stale. */
  readonly maxStaleMs: number;
}): FreeReads {
  const { reads, replica, lag, health, maxStaleMs } = deps;
  let count = 0;
  let known = Number.NEGATIVE_INFINITY;
  return { query, staleCount: () => count, knownAt: () => known };

  async function query<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]> {
    const away = findAway(health);
    if (away === undefined) {
      try {
        return await reads.query<Row>(statement, params);
      } catch (error) {
        if (!isOutage(error) || !isRecent()) throw error;
      }
    } else if (!isRecent()) throw new StoreUnavailable(away);
    const freshAt = lag.freshAt();
    const rows = await replica.query<Row>(statement, params);
    // At the end, so that a result that several requests share is marked for each of them.
    count++;
    known = freshAt;
    return rows;
  }

  function isRecent(): boolean {
    return maxStaleMs > 0 && performance.now() - lag.freshAt() <= maxStaleMs;
  }
}
