import { CONNECT_MS, type Deadlines } from './deadlines.ts';
import { pipelineReads } from './pipelinedReads.ts';
import type { PoolUse } from './poolUse.ts';
import { createPool, run } from './postgresClient.ts';
import { REPLICA_PATIENCE_MS } from './replicaReads.ts';
import type { SessionCheck } from './sessionCheck.ts';
import type { Queryable } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** Connections to the replica. */
export interface PostgresReplica {
  /** For reads that the primary can serve too. */
  readonly brief: Queryable;
  /** For reads while the primary is away. */
  readonly patient: Queryable;
  use(): PoolUse;
  end(): Promise<unknown>;
}

export interface ReplicaOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly deadlines: Deadlines;
  readonly sessions: SessionCheck;
}

const PATIENT_IDLE_MS = 10_000;

export function openReplica({
  url,
  poolSize,
  deadlines,
  sessions,
}: ReplicaOptions): PostgresReplica {
  const open = (statementMs: number, connectMs: number, idleMs = 0) => {
    const pool = createPool({
      ...{ url, size: poolSize, statementMs, connectMs, idleMs },
      admit: (client, greeting) => sessions.admit(client, greeting, url),
    });
    return { pool, reads: pipelineReads((calls) => run(pool, calls, statementMs)) };
  };
  const brief = open(deadlines.replica, REPLICA_PATIENCE_MS);
  // While the primary is away, no other host can serve a read, so it has the primary's deadline. Until used, it has no
  // connections.
  const patient = open(deadlines.single, CONNECT_MS, PATIENT_IDLE_MS);
  return {
    brief: brief.reads,
    patient: patient.reads,
    use: () => brief.pool.use('replica'),
    end: () => Promise.all([brief.pool.end(), patient.pool.end()]),
  };
}

/** A replica that does not respond must not prevent the start. */
export async function requireReplicaSessions(sessions: SessionCheck, url: string): Promise<void> {
  try {
    await sessions.require(url, REPLICA_PATIENCE_MS);
  } catch (error) {
    if (error instanceof StoreUnavailable && error.outage === 'pooled') throw error;
  }
}
