import pg from 'pg';
import { CONNECT_MS, socketMs } from './deadlines.ts';
import { cut } from './heartbeat.ts';
import { createWaits, MeasuredPool, type Waits } from './poolUse.ts';
import { connectFault, queryFault } from './postgresFault.ts';
import { type Call, type OnAnswer, PreparedCalls } from './preparedCalls.ts';
import type { Param, Statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import type { Connection, PendingQuery } from './transact.ts';
import { paramText, readerOf } from './wire.ts';

const TYPES = { getTypeParser: (oid: number) => readerOf(oid) };

/** Options that every connection shares. */
function clientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    types: TYPES as pg.ClientConfig['types'] & object,
    application_name: 'assay',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 1_000,
  };
}

/**
 * The timeline that a server writes to: the prefix of its write-ahead log file names. Null: it follows another server.
 * Every role may read it.
 */
export const TIMELINE = `case when pg_is_in_recovery() then null
  else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

export function readTimeline(rows: readonly Record<string, unknown>[]): number | null {
  const text = rows[0]!.timeline as string | null;
  return text === null ? null : Number.parseInt(text, 16);
}

/** The server process that runs the statement. */
export const SESSION = 'pg_backend_pid() as session';

/** State that a server reports on a new connection. */
export interface Greeting {
  readonly timeline: number | null;
  readonly session: number;
}

export async function greet(client: pg.ClientBase, ms: number, settings = ''): Promise<Greeting> {
  const { rows } = await exec(client, `${settings}select ${TIMELINE}, ${SESSION}`, ms);
  return { timeline: readTimeline(rows), session: rows[0]!.session as number };
}

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** Statement timeout on the server. */
  readonly statementMs: number;
  /** For a connection, including the wait while all are in use. */
  readonly connectMs?: number;
  /** Unused connections are closed after this time; 0, the default: never. */
  readonly idleMs?: number;
  /** Throws if a new connection must not be used: it leads to another timeline, or does not keep its session. */
  readonly admit?: (client: pg.ClientBase, greeting: Greeting) => Promise<void>;
  /** Where waits for a connection are counted; its own by default. */
  readonly waits?: Waits;
}

/**
 * Connections for reads and single statements. They plan a statement once: PostgreSQL would otherwise plan most history
 * pages again each time, which costs more than reading them, only to find the same plan. They also disable JIT
 * compilation, which takes longer than a page.
 */
export function createPool(options: PoolOptions): MeasuredPool {
  const { url, size, statementMs, connectMs = CONNECT_MS, idleMs = 0 } = options;
  const { admit, waits = createWaits() } = options;
  const config: pg.PoolConfig = {
    ...clientConfig(url),
    connectionTimeoutMillis: connectMs,
    max: size,
    // Connections stay open, because closing and reopening them costs more than keeping a few.
    idleTimeoutMillis: idleMs,
    onConnect: async (client) => {
      // In one round trip: a timeline never changes under a connection that accepts writes.
      const settings = `set plan_cache_mode = force_generic_plan; set jit = off; set statement_timeout = ${statementMs}; `;
      const greeting = await greet(client, connectMs, settings);
      await admit?.(client, greeting);
    },
  };
  const pool = new MeasuredPool(config, waits);
  // Connections that die while idle, or while held between two queries: the next query fails.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A separate connection, outside the pool. */
export async function connect(url: string, connectMs = CONNECT_MS): Promise<pg.Client> {
  const client = new pg.Client({
    ...clientConfig(url),
    connectionTimeoutMillis: connectMs,
  });
  // A connection that dies while idle emits this event; without a listener, it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw connectFault(error);
  }
}

export function callOf(statement: Statement, params: readonly Param[] = []): Call {
  return { statement, values: params.map(paramText) };
}

export async function query<Row>(
  client: pg.ClientBase,
  statement: Statement,
  params: readonly Param[] = [],
  statementMs?: number,
): Promise<Row[]> {
  const { answers, error } = await run(client, [callOf(statement, params)], statementMs);
  // A result arrives before its commit, which may still fail.
  if (error !== null) throw queryFault(statement.name, error);
  return rowsOf<Row>(answers[0]!);
}

/** Holds no reference to the values of a call while it runs, because those of a bulk write are large. */
function queryAll(
  client: pg.ClientBase,
  queries: readonly PendingQuery[],
  statementMs = 0,
): Promise<Error | undefined> {
  const waiting = queries.map(({ statement, resolve, reject }) => ({
    name: statement.name,
    resolve,
    reject,
  }));
  const calls = queries.map(({ statement, params }) => callOf(statement, params));
  const answered = run(client, calls, statementMs * calls.length, (answer, i) => {
    if (answer instanceof Error) waiting[i]!.reject(answer);
    else waiting[i]!.resolve(answer);
  });
  return answered.then(({ answers, error }) => {
    if (error === null) return undefined;
    const unanswered = waiting.slice(answers.length);
    const fault = queryFault(unanswered[0]?.name ?? 'sync', error);
    for (const { reject } of unanswered) reject(fault);
    return unanswered.length === 0 ? fault : undefined;
  });
}

/** The result of calls that were sent together. */
export interface Answered {
  /** Of each call, up to the first that the database rejected. */
  readonly answers: PreparedCalls['answers'];
  /** Why there are no more results, or why they are void. */
  readonly error: Error | null;
  /** False if no connection was available. */
  readonly sent: boolean;
}

/** Throws the error that reading them caused. */
export function rowsOf<Row>(answer: PreparedCalls['answers'][number]): Row[] {
  if (!Array.isArray(answer)) throw answer;
  return answer as Row[];
}

/**
 * Never rejects. `statementMs` is the server's timeout for the calls; 0 or undefined if there is none. `onAnswer`
 * receives each result when it arrives. Clients and pools accept a custom query with a callback, which their types do
 * not declare.
 */
export function run(
  client: pg.ClientBase | pg.Pool,
  calls: readonly Call[],
  statementMs?: number,
  onAnswer?: OnAnswer,
): Promise<Answered> {
  const query = new PreparedCalls(calls, statementMs && socketMs(statementMs), onAnswer);
  return new Promise((resolve) => {
    const submit = client.query.bind(client) as unknown as Submit;
    submit(query, undefined, (error) => {
      const fault = query.overdue ? new StoreUnavailable('silent') : (error ?? null);
      resolve({ answers: query.answers, error: fault, sent: query.sent });
    });
  });
}

type Submit = (
  query: PreparedCalls,
  values: undefined,
  callback: NonNullable<PreparedCalls['callback']>,
) => void;

/** Runs a text of one or several statements; returns the rows and the tag of the last. */
export async function exec(
  client: pg.ClientBase,
  text: string,
  statementMs?: number,
): Promise<{ rows: Record<string, unknown>[]; tag: string }> {
  let overdue = false;
  const deadline =
    statementMs &&
    setTimeout(() => {
      overdue = true;
      cut(client);
    }, socketMs(statementMs));
  try {
    const answer = (await client.query(text)) as pg.QueryResult | pg.QueryResult[];
    const last = Array.isArray(answer) ? answer.at(-1)! : answer;
    return { rows: last.rows, tag: last.command };
  } catch (error) {
    throw queryFault('exec', overdue ? new StoreUnavailable('silent') : error);
  } finally {
    clearTimeout(deadline);
  }
}

/** A client as the connection of transactions and migrations, which have a timeout only if `statementMs` is given. */
export function connectionOf(client: pg.ClientBase, statementMs?: number): Connection {
  return {
    query: (statement, params) => query(client, statement, params, statementMs),
    queryAll: (queries) => queryAll(client, queries, statementMs),
    exec: (sql) => exec(client, sql, statementMs),
  };
}
