import { CONNECT_MS, type Deadlines, STATEMENT_MS } from './deadlines.ts';
import { createFreeReads, onlyCurrent } from './freeReads.ts';
import { createHealth, type HealthReports } from './health.ts';
import { end } from './heartbeat.ts';
import { migrate } from './migrate.ts';
import { pipelineReads } from './pipelinedReads.ts';
import { connectionOf } from './postgresClient.ts';
import { endWhenIdle, leadPostgres } from './postgresLeader.ts';
import { createListener } from './postgresListener.ts';
import { openReplica, requireReplicaSessions } from './postgresReplica.ts';
import { createPrimaryPool, type PrimaryPool } from './primaryPool.ts';
import { createPrimaryQueries } from './primaryQueries.ts';
import { createPrimaryWatch } from './primaryWatch.ts';
import { startProbe } from './probe.ts';
import { createReplicaLag } from './replicaLag.ts';
import { createReplicaReads } from './replicaReads.ts';
import { hasRoom } from './room.ts';
import { createSessionCheck } from './sessionCheck.ts';
import type { Leadership, Param, Queryable, Statement, Store } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

const OLDEST_VERSION = 150_000;

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
  const queries = createPrimaryQueries(primary, deadlines);
  const replica =
    replicaUrl === undefined
      ? undefined
      : openReplica({ url: replicaUrl, poolSize, deadlines, sessions });
  const listener = createListener(primary.connect);
  const primaryReads = pipelineReads(queries.run);
  const lag = replica && createReplicaLag(replica.brief);
  const reads = replica
    ? createReplicaReads(replica.brief, primaryReads, lag!.isFresh)
    : primaryReads;
  const health: HealthReports = createHealth({
    probe: () => probe.look(),
    hasRoom: () => hasRoom({ transaction }),
  });
  const watch = createPrimaryWatch(primary);
  const probe = await startProbe({ readPrimary: watch.read, lag, ...health });
  let closed = false;

  function query<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]> {
    return health.watch(queries.query<Row>(statement, params));
  }

  function transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return health.watch(queries.transaction(work));
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

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    probe.stop();
    health.stop();
    watch.close();
    await Promise.all([listener.close(), primary.end(), replica?.end()]);
  }

  return {
    engine: 'postgres',
    query,
    reads,
    freeReads: replica
      ? createFreeReads({
          ...{ reads, replica: replica.patient, lag: lag!, health },
          maxStaleMs: maxStaleSeconds * 1_000,
        })
      : onlyCurrent(reads),
    transaction,
    lead,
    listen: listener.listen,
    pools: () => [primary.usage(), ...(replica ? [replica.use()] : [])],
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
