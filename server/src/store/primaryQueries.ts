import type pg from 'pg';
import type { Deadlines } from './deadlines.ts';
import { type Answered, callOf, connectionOf, rowsOf, run } from './postgresClient.ts';
import { connectFault, queryFault } from './postgresFault.ts';
import type { Call } from './preparedCalls.ts';
import type { PrimaryPool } from './primaryPool.ts';
import type { Param, Queryable, Statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import { transact } from './transact.ts';

/** Statements and transactions on the connections to the primary, each within its deadline. */
export interface PrimaryQueries {
  /** Runs statements in one packet. */
  run(calls: readonly Call[]): Promise<Answered>;
  query<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]>;
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

export function createPrimaryQueries(primary: PrimaryPool, deadlines: Deadlines): PrimaryQueries {
  return {
    run: runOnPrimary,
    query,
    transaction: (work) => within(deadlines.transaction, work),
  };

  async function runOnPrimary(calls: readonly Call[]): Promise<Answered> {
    let pool: pg.Pool;
    try {
      pool = await primary.use();
    } catch (error) {
      return { answers: [], error: error as Error, sent: false };
    }
    const answered = await run(pool, calls, deadlines.single);
    if (answered.error !== null) primary.failed(answered.error);
    return answered;
  }

  async function query<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]> {
    if (statement.long) return within(deadlines.long, (tx) => tx.query(statement, params));
    const { answers, error } = await runOnPrimary([callOf(statement, params)]);
    // A result arrives before its commit, which may still fail.
    if (error !== null) throw queryFault(statement.name, error);
    return rowsOf<Row>(answers[0]!);
  }

  async function within<T>(statementMs: number, work: (tx: Queryable) => Promise<T>): Promise<T> {
    const pool = await primary.use();
    const client = await pool.connect().catch((error: unknown) => {
      primary.failed(error);
      throw connectFault(error);
    });
    let broken = false;
    try {
      const settings = `; set local statement_timeout = ${statementMs};
        set local idle_in_transaction_session_timeout = ${deadlines.idle}`;
      return await transact(connectionOf(client, statementMs), work, settings);
    } catch (error) {
      broken = error instanceof StoreUnavailable;
      primary.failed(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
