import type pg from 'pg';
import { CONNECT_MS, type Deadlines, STATEMENT_MS } from './deadlines.ts';
import { gatherReads } from './gatheredReads.ts';
import { end } from './heartbeat.ts';
import { migrate } from './migrate.ts';
import { type Answered, callOf, connectionOf, createPool, rowsOf, run } from './postgresClient.ts';
import { connectFault, queryFault } from './postgresFault.ts';
import { leadPostgres } from './postgresLeader.ts';
import { createListener } from './postgresListener.ts';
import type { Call } from './preparedCalls.ts';
import { createPrimaryPool, type PrimaryPool } from './primaryPool.ts';
import { watchReplica } from './replicaLag.ts';
import { createReplicaReads, REPLICA_PATIENCE_MS } from './replicaReads.ts';
import type { Param, Queryable, Statement, Store } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import { transact } from './transact.ts';

const OLDEST_VERSION = 150_000;

export interface PostgresOptions {
  /** It may name several hosts: the one that takes writes is used. */
  readonly url: string;
  /** Reads only, while it is hardly behind. */
  readonly replicaUrl?: string | undefined;
  readonly poolSize?: number;
  readonly deadlines?: Deadlines;
}

/** The store on a PostgreSQL server. */
export async function openPostgres({
  url,
  replicaUrl,
  poolSize = 10,
  deadlines = STATEMENT_MS,
}: PostgresOptions): Promise<Store> {
  const primary = createPrimaryPool({ url, size: poolSize, statementMs: deadlines.single });
  await prepare(primary);
  const replica =
    replicaUrl === undefined
      ? undefined
      : createPool({
          url: replicaUrl,
          size: poolSize,
          statementMs: deadlines.replica,
          connectMs: REPLICA_PATIENCE_MS,
        });
  const listener = createListener(primary.connect);
  const primaryReads = gatherReads((calls) => runOnPrimary(calls));
  const replicaReads = replica && gatherReads((calls) => run(replica, calls, deadlines.replica));
  const lag = replicaReads && (await watchReplica(primaryReads, replicaReads));
  let closed = false;

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

  async function single<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]> {
    if (statement.long) return within(deadlines.long, (tx) => tx.query(statement, params));
    const { answers, error } = await runOnPrimary([callOf(statement, params)]);
    // A call is answered before it is committed, which may fail as well.
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
      const settings = `; set local statement_timeout = ${statementMs}`;
      return await transact(connectionOf(client, statementMs), work, settings);
    } catch (error) {
      broken = error instanceof StoreUnavailable;
      primary.failed(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    lag?.stop();
    await Promise.all([listener.close(), primary.end(), replica?.end()]);
  }

  return {
    engine: 'postgres',
    query: single,
    reads: replicaReads
      ? createReplicaReads(replicaReads, primaryReads, lag!.isFresh)
      : primaryReads,
    transaction: (work) => within(deadlines.transaction, work),
    lead: (key) => leadPostgres(primary.connect, key),
    listen: listener.listen,
    close,
  };
}

async function prepare(primary: PrimaryPool): Promise<void> {
  const client = await primary.connect();
  const connection = connectionOf(client);
  try {
    const { rows } = await connectionOf(client, CONNECT_MS).exec(
      `select current_setting('server_version_num')::int as version`,
    );
    if ((rows[0]!.version as number) < OLDEST_VERSION) throw new StoreUnavailable('too-old');
    await migrate(connection);
  } finally {
    await end(client);
  }
}
