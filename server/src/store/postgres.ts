import { CONNECT_MS, type Deadlines, STATEMENT_MS } from './deadlines.ts';
import { gatherReads } from './gatheredReads.ts';
import { end } from './heartbeat.ts';
import { migrate } from './migrate.ts';
import { connect, connectionOf, createPool, query, run } from './postgresClient.ts';
import { connectFault } from './postgresFault.ts';
import { leadPostgres } from './postgresLeader.ts';
import { createListener } from './postgresListener.ts';
import { createReplicaReads, REPLICA_PATIENCE_MS } from './replicaReads.ts';
import type { Param, Queryable, Statement, Store } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import { transact } from './transact.ts';

const OLDEST_VERSION = 150_000;

export interface PostgresOptions {
  readonly url: string;
  /** Reads only. */
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
  await prepare(url);
  const pool = createPool({ url, size: poolSize, statementMs: deadlines.single });
  const replica =
    replicaUrl === undefined
      ? undefined
      : createPool({
          url: replicaUrl,
          size: poolSize,
          statementMs: deadlines.replica,
          connectMs: REPLICA_PATIENCE_MS,
        });
  const listener = createListener(url);
  let closed = false;

  const replicaReads = replica && gatherReads((calls) => run(replica, calls, deadlines.replica));
  const primaryReads = gatherReads((calls) => run(pool, calls, deadlines.single));

  async function single<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]> {
    if (!statement.long) return query(pool, statement, params, deadlines.single);
    return within(deadlines.long, (tx) => tx.query(statement, params));
  }

  async function within<T>(statementMs: number, work: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw connectFault(error);
    });
    let broken = false;
    try {
      const settings = `; set local statement_timeout = ${statementMs}`;
      return await transact(connectionOf(client, statementMs), work, settings);
    } catch (error) {
      broken = error instanceof StoreUnavailable;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    await Promise.all([listener.close(), pool.end(), replica?.end()]);
  }

  return {
    engine: 'postgres',
    query: single,
    reads: replicaReads ? createReplicaReads(replicaReads, primaryReads) : primaryReads,
    transaction: (work) => within(deadlines.transaction, work),
    lead: (key) => leadPostgres(url, key),
    listen: listener.listen,
    close,
  };
}

async function prepare(url: string): Promise<void> {
  const client = await connect(url);
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
