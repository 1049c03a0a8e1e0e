import type { Param, Queryable, Statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** One connection to a database, of either engine. */
export interface Connection extends Queryable {
  /** Runs a text of one or several statements; rows and tag are those of the last. */
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
 * One transaction on a connection that nobody else uses meanwhile; `settings` go with its begin. Queries that are asked
 * for together run one after the other, in the order in which they were asked for.
 */
export async function transact<T>(
  connection: Connection,
  work: (tx: Queryable) => Promise<T>,
  settings = '',
): Promise<T> {
  let open = true;
  let last: Promise<unknown> = Promise.resolve();
  const tx: Queryable = {
    query<Row>(statement: Statement, params?: readonly Param[]) {
      const send = async () => {
        // A late query would otherwise land in somebody else's transaction.
        if (!open) throw new StoreUnavailable('closed');
        return connection.query<Row>(statement, params);
      };
      const sent = last.then(send, send);
      last = sent;
      return sent;
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
    await last.catch(() => undefined);
    // The first error is the one to tell; a lost connection has rolled back by itself.
    await connection.exec('rollback').catch(() => undefined);
    throw error;
  }
}
