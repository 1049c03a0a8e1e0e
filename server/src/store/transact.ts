import type { Param, Queryable, Statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** A statement with a waiting caller. */
export interface PendingQuery {
  readonly statement: Statement;
  readonly params: readonly Param[] | undefined;
  resolve(rows: unknown[]): void;
  reject(error: Error): void;
}

/** One connection to a database, of either engine. */
export interface Connection extends Queryable {
  /**
   * Runs them one after the other and settles each as soon as possible; those after a failed one fail with it. Returns
   * the connection's error, if any, after all are settled.
   */
  queryAll(queries: readonly PendingQuery[]): Promise<Error | undefined>;
  /** Runs a text of one or several statements; returns the rows and the tag of the last. */
  exec(sql: string): Promise<{ rows: Record<string, unknown>[]; tag: string | undefined }>;
}

/** The transaction had a failed statement whose error was swallowed, so COMMIT rolled it back. */
export class TransactionAborted extends Error {
  override readonly name = 'TransactionAborted';

  constructor() {
    super(
      'the transaction was rolled back: one of its statements had failed; let that error through',
    );
  }
}

/**
 * One transaction on a connection that nothing else uses meanwhile; `settings` are sent with BEGIN. Queries run in the
 * order of the calls. Those that are started together are sent together, so that the database does not wait between
 * them.
 */
export async function transact<T>(
  connection: Connection,
  work: (tx: Queryable) => Promise<T>,
  settings = '',
): Promise<T> {
  let open = true;
  let pending: PendingQuery[] = [];
  let inFlight: Promise<void> | undefined;
  let lost: Error | undefined;
  const tx: Queryable = {
    query<Row>(statement: Statement, params?: readonly Param[]) {
      return new Promise<Row[]>((resolve, reject) => {
        pending.push({ statement, params, resolve: resolve as PendingQuery['resolve'], reject });
        if (pending.length === 1) queueMicrotask(sendPending);
      });
    },
  };
  await connection.exec(`begin${settings}`);
  try {
    const result = await work(tx);
    open = false;
    const { tag } = await connection.exec('commit');
    if (tag !== 'COMMIT') throw new TransactionAborted();
    return result;
  } catch (error) {
    open = false;
    await inFlight;
    // Report the first error; a lost connection has already rolled back.
    await connection.exec('rollback').catch(() => undefined);
    throw error;
  }

  function sendPending(): void {
    if (pending.length === 0 || inFlight !== undefined) return;
    const all = pending;
    pending = [];
    // A late query would otherwise run in another caller's transaction.
    const rejection = open ? lost : new StoreUnavailable('closed');
    if (rejection !== undefined) for (const { reject } of all) reject(rejection);
    else {
      inFlight = connection.queryAll(all).then((failure) => {
        inFlight = undefined;
        lost = failure;
        sendPending();
      });
    }
  }
}
