import { StatementFailed } from './statementFailed.ts';
import type { Param, Queryable, Statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** A reader has its result from the primary within a second, whatever the replica does. */
export const REPLICA_PATIENCE_MS = 900;
/** How long an unresponsive replica is not used; then one read tries it. */
const PAUSE_MS = 5_000;
/** The replica's replay removed a row that the read needed. */
const CONFLICT_WITH_RECOVERY = '40001';

/** Reads from the replica while it responds and is fresh, otherwise from the primary. */
export function createReplicaReads(
  replica: Queryable,
  primary: Queryable,
  isFresh: () => boolean,
): Queryable {
  let silentSince: number | undefined;
  let trying = false;
  return { query };

  async function query<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]> {
    if (!isFresh()) return primary.query(statement, params);
    const tries = silentSince !== undefined;
    if (tries) {
      if (trying || performance.now() - silentSince! < PAUSE_MS) {
        return primary.query(statement, params);
      }
      trying = true;
    }
    try {
      const rows = await inTime(replica.query<Row>(statement, params));
      silentSince = undefined;
      return rows;
    } catch (error) {
      if (!isReplicas(error)) throw error;
      // A read that took too long proves nothing about others.
      const answered = error instanceof StatementFailed || error.outage === 'slow';
      silentSince = answered ? undefined : performance.now();
      return primary.query(statement, params);
    } finally {
      if (tries) trying = false;
    }
  }
}

function isReplicas(error: unknown): error is StoreUnavailable | StatementFailed {
  if (error instanceof StatementFailed) return error.code === CONFLICT_WITH_RECOVERY;
  return error instanceof StoreUnavailable;
}

/** Including steps before a statement is sent, such as waiting for a connection. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Responses that arrived while this process was busy are read before the read is given up.
    const giveUp = () => setImmediate(() => reject(new StoreUnavailable('silent')));
    timer = setTimeout(giveUp, REPLICA_PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
