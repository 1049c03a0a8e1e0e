import pg from 'pg';
import { gatherReads } from './gatheredReads.ts';
import { migrate } from './migrate.ts';
import { clientConfig, connect, connectionOf, query, run } from './postgresClient.ts';
import { connectFault } from './postgresFault.ts';
import { leadPostgres } from './postgresLeader.ts';
import { createListener } from './postgresListener.ts';
import type { Param, Queryable, Statement, Store } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import { transact } from './transact.ts';

const OLDEST_VERSION = 150_000;

export interface PostgresOptions {
  readonly url: string;
  /** Reads only. */
  readonly replicaUrl?: string | undefined;
  readonly poolSize?: number;
}

/** The store on a PostgreSQL server. */
export async function openPostgres({
  url,
  replicaUrl,
  poolSize = 10,
}: PostgresOptions): Promise<Store> {
  await prepare(url);
  const pool = createPool(url, poolSize);
  const replica = replicaUrl === undefined ? undefined : createPool(replicaUrl, poolSize);
  const listener = createListener(url);
  let closed = false;

  const primaryReads = gatherReads((calls) => run(pool, calls));
  const replicaReads = replica && gatherReads((calls) => run(replica, calls));

  async function replicaQuery<Row>(
    statement: Statement,
    params?: readonly Param[],
  ): Promise<Row[]> {
    try {
      return await replicaReads!.query<Row>(statement, params);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return primaryReads.query(statement, params);
    }
  }

  async function transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw connectFault(error);
    });
    let broken = false;
    try {
      return await transact(connectionOf(client), work);
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
    query: (statement, params) => query(pool, statement, params),
    reads: replica ? { query: replicaQuery } : primaryReads,
    transaction,
    lead: (key) => leadPostgres(url, key),
    listen: listener.listen,
    close,
  };
}

async function prepare(url: string): Promise<void> {
  const client = await connect(url);
  const connection = connectionOf(client);
  try {
    const { rows } = await connection.exec(
      `select current_setting('server_version_num')::int as version`,
    );
    if ((rows[0]!.version as number) < OLDEST_VERSION) throw new StoreUnavailable('too-old');
    await migrate(connection);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function createPool(url: string, size: number): pg.Pool {
  // Connections stay: to end and open them anew costs more than to keep a few.
  const pool = new pg.Pool({ ...clientConfig(url), max: size, idleTimeoutMillis: 0 });
  // Connections that die while idle, and while held between two queries: the next query finds out.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
