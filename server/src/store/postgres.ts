import type pg from 'pg';
import { CONNECT_MS, type Deadlines, STATEMENT_MS } from './deadlines.ts';
import { createFreeReads, onlyCurrent } from './freeReads.ts';
import { createHealth, type HealthReports } from './health.ts';
import { end } from './heartbeat.ts';
import { migrate } from './migrate.ts';
import { pipelineReads } from './pipelinedReads.ts';
import { type Answered, callOf, connectionOf, createPool, rowsOf, run } from './postgresClient.ts';
import { connectFault, queryFault } from './postgresFault.ts';
import { endWhenIdle, leadPostgres } from './postgresLeader.ts';
import { createListener } from './postgresListener.ts';
import type { Call } from './preparedCalls.ts';
import { createPrimaryPool, type PrimaryPool } from './primaryPool.ts';
import { createPrimaryWatch } from './primaryWatch.ts';
import { startProbe } from './probe.ts';
import { createReplicaLag } from './replicaLag.ts';
import { createReplicaReads, REPLICA_PATIENCE_MS } from './replicaReads.ts';
import { hasRoom } from './room.ts';
import { createSessionCheck, type SessionCheck } from './sessionCheck.ts';
import type { Leadership, Param, Queryable, Statement, Store } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import { transact } from './transact.ts';

const OLDEST_VERSION = 150_000;
const PATIENT_IDLE_MS = 10_000;

export interface PostgresOptions {
  /** May name several hosts; the store uses the one that accepts writes. */
  readonly url: string;
  /** For reads only, and only while it is at most slightly behind. */
  readonly replicaUrl?: string | undefined;
  /** For how long a replica may serve free reads while the primary is away; 0: never. */
  readonly maxStaleSeconds?: number | undefined;
  readonly poolSize?: number;
  readonly deadlines?: Deadlines;
  /** Called with the name of each step before it starts. */
  readonly onProgress?: ((doing: string) => void) | undefined;
}

/** The store on a PostgreSQL server. */
export async function openPostgres({
  url,
  replicaUrl,
  maxStaleSeconds = 0,
  poolSize = 10,
  deadlines = STATEMENT_MS,
  onProgress,
}: PostgresOptions): Promise<Store> {
  const sessions = createSessionCheck();
  const pool = { url, size: poolSize, statementMs: deadlines.single };
  const primary = createPrimaryPool(pool, sessions);
  try {
    await prepare(primary, { idleMs: deadlines.idle, onProgress });
    if (replicaUrl !== undefined) await requireReplicaSessions(sessions, replicaUrl);
  } catch (error) {
    // Callers that wait for the database retry, on new connections.
    await primary.end();
    throw error;
  }
  const replicas = replicaUrl === undefined ? undefined : openReplica(replicaUrl);
  const listener = createListener(primary.connect);
  const primaryReads = pipelineReads((calls) => runOnPrimary(calls));
  const lag = replicas && createReplicaLag(replicas.brief);
  const reads = replicas
    ? createReplicaReads(replicas.brief, primaryReads, lag!.isFresh)
    : primaryReads;
  const health: HealthReports = createHealth({
    probe: () => probe.look(),
    hasRoom: () => hasRoom({ transaction }),
  });
  const watch = createPrimaryWatch(primary);
  const probe = await startProbe({ readPrimary: watch.read, lag, ...health });
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

  function openReplica(replica: string) {
    const open = (statementMs: number, connectMs: number, idleMs = 0) => {
      const pool = createPool({
        ...{ url: replica, size: poolSize, statementMs, connectMs, idleMs },
        admit: (client, greeting) => sessions.admit(client, greeting, replica),
      });
      return { pool, reads: pipelineReads((calls) => run(pool, calls, statementMs)) };
    };
    const brief = open(deadlines.replica, REPLICA_PATIENCE_MS);
    // While the primary is away, no other host can serve a read, so it has the primary's deadline. Until used, it has
    // no connections.
    const patient = open(deadlines.single, CONNECT_MS, PATIENT_IDLE_MS);
    return {
      brief: brief.reads,
      patient: patient.reads,
      use: () => brief.pool.use('replica'),
      end: () => Promise.all([brief.pool.end(), patient.pool.end()]),
    };
  }

  function query<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]> {
    return health.watch(single<Row>(statement, params));
  }

  function transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return health.watch(within(deadlines.transaction, work));
  }

  async function lead(key: number): Promise<Leadership | undefined> {
    const leadership = await leadPostgres(primary.connect, key, deadlines.idle);
    return (
      leadership && {
        ...leadership,
        transaction: (work) => health.watch(leadership.transaction(work)),
      }
    );
  }

  async function single<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]> {
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

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    probe.stop();
    health.stop();
    watch.close();
    await Promise.all([listener.close(), primary.end(), replicas?.end()]);
  }

  return {
    engine: 'postgres',
    query,
    reads,
    freeReads: replicas
      ? createFreeReads({
          ...{ reads, replica: replicas.patient, lag: lag!, health },
          maxStaleMs: maxStaleSeconds * 1_000,
        })
      : onlyCurrent(reads),
    transaction,
    lead,
    listen: listener.listen,
    pools: () => [primary.usage(), ...(replicas ? [replicas.use()] : [])],
    ...(lag && { replicaLagSeconds: lag.seconds }),
    cluster: {
      ...primary.cluster,
      isPooled: sessions.isPooled,
      onChange(listener) {
        primary.cluster.onChange(listener);
        sessions.onChange(listener);
      },
    },
    health,
    close,
  };
}

/** A replica that does not respond must not prevent the start. */
async function requireReplicaSessions(sessions: SessionCheck, url: string): Promise<void> {
  try {
    await sessions.require(url, REPLICA_PATIENCE_MS);
  } catch (error) {
    if (error instanceof StoreUnavailable && error.outage === 'pooled') throw error;
  }
}

async function prepare(
  primary: PrimaryPool,
  { idleMs, onProgress }: { readonly idleMs: number } & Pick<PostgresOptions, 'onProgress'>,
): Promise<void> {
  await primary.requireSessions();
  const client = await primary.connect();
  const connection = connectionOf(client);
  try {
    const { rows } = await connectionOf(client, CONNECT_MS).exec(
      `select current_setting('server_version_num')::int as version`,
    );
    if ((rows[0]!.version as number) < OLDEST_VERSION) throw new StoreUnavailable('too-old');
    await connection.exec(endWhenIdle(idleMs));
    await migrate(connection, undefined, onProgress);
  } finally {
    await end(client);
  }
}
