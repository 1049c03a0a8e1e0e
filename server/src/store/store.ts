import type { Cluster } from './cluster.ts';
import type { FreeReads } from './freeReads.ts';
import type { StoreHealth } from './health.ts';
import type { PoolUse } from './poolUse.ts';
import type { CopyOptions, StoreCopy } from './storeCopy.ts';
import type { StoreUnavailable } from './storeUnavailable.ts';

/** A named SQL text. Every statement is registered, so that a test can prepare all of them on both engines. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** A read of a few rows by an index: under load, it may share a packet with others, and wait for them. */
  readonly brief?: boolean;
  /** Reads a whole table, which may take minutes. */
  readonly long?: boolean;
}

const registry = new Map<string, Statement>();

/** Declares a statement next to its table; its name is also that of the prepared statement. */
export function statement(
  name: string,
  text: string,
  options: Pick<Statement, 'long'> = {},
): Statement {
  if (registry.has(name)) throw new Error(`two statements are named ${name}`);
  const declared = { name, text, ...options };
  registry.set(name, declared);
  return declared;
}

export function getStatements(): readonly Statement[] {
  return [...registry.values()];
}

/** A statement parameter. Bulk columns are passed as array literals: see columns.ts. */
export type Param = string | number | bigint | boolean | null;

/**
 * Both engines return rows in the same form: int2, int4, int8 as number; numeric as bigint (every numeric in the schema
 * has scale 0); bytea as lower-case 0x hex; float8 as number; bool as boolean; text as string.
 */
export interface Queryable {
  query<Row>(statement: Statement, params?: readonly Param[]): Promise<Row[]>;
}

export interface Store extends Queryable {
  readonly engine: 'pglite' | 'postgres';
  /** For reads that may be slightly stale: uses the replica if there is one and it responds. Never for payments. */
  readonly reads: Queryable;
  /**
   * Like `reads`, but while the primary is away, it uses a replica that may be minutes behind. Only for free routes,
   * which send its age with each response.
   */
  readonly freeReads: FreeReads;
  /** One transaction; commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /**
   * Becomes the leader of `key`, or returns undefined if another process is. The leadership and its transactions share
   * one connection: when it is lost, so are both, and nothing more can be committed.
   */
  lead(key: number): Promise<Leadership | undefined>;
  /** Calls `listener` with each payload of a channel. Returns a function that stops it. */
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Copies it into a new store folder while it is in use. Only for the embedded database; PostgreSQL servers have their
   * own tools.
   */
  copyTo?(folder: string, how?: CopyOptions): Promise<StoreCopy>;
  /** Use of its connections. */
  pools?(): readonly PoolUse[];
  /** Seconds since the replica had every write; absent without a replica. */
  replicaLagSeconds?(): number;
  /** The PostgreSQL hosts behind it; absent for the embedded database. */
  readonly cluster?: Cluster;
  readonly health: StoreHealth;
  /**
   * Resolves with the reason when the embedded database has stopped by itself: every further query fails, and only a
   * new process can open it again. Absent for PostgreSQL servers, to which the store reconnects.
   */
  readonly crashed?: Promise<StoreUnavailable>;
  close(): Promise<void>;
}

export interface Leadership {
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Resolves when the leadership is over: released, or its connection lost. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}
