import pg from 'pg';
import { connectFault, queryFault } from './postgresFault.ts';
import { type Call, PreparedCalls } from './preparedCalls.ts';
import type { Param, Statement } from './store.ts';
import type { Connection } from './transact.ts';
import { paramText, readerOf } from './wire.ts';

const TYPES = { getTypeParser: (oid: number) => readerOf(oid) };

/**
 * Options that every connection shares. A pool, which is for reads, makes the plan of a statement once: PostgreSQL
 * would plan most pages of history anew each time, which costs more than reading them, to find the same plan.
 */
export function clientConfig(url: string): pg.PoolConfig {
  return {
    connectionString: url,
    types: TYPES as pg.ClientConfig['types'] & object,
    application_name: 'assay',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 1_000,
    onConnect: planOnce,
  };
}

async function planOnce(client: pg.ClientBase): Promise<void> {
  await client.query('set plan_cache_mode = force_generic_plan');
}

/** A connection of its own, outside the pool. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(url));
  // A connection that dies while idle says so by this event; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw connectFault(error);
  }
}

export async function query<Row>(
  client: pg.ClientBase | pg.Pool,
  statement: Statement,
  params: readonly Param[] = [],
): Promise<Row[]> {
  const { answers, error } = await run(client, [{ statement, values: params.map(paramText) }]);
  // A call is answered before it is committed, which may fail as well.
  if (error !== null) throw queryFault(statement.name, error);
  return rowsOf<Row>(answers[0]!);
}

/** What became of calls that went together. */
export interface Answered {
  /** Of each call, up to the first that the database refused. */
  readonly answers: PreparedCalls['answers'];
  /** Why there are no more, or why they came to nothing. */
  readonly error: Error | null;
  /** False when no connection was to be had. */
  readonly sent: boolean;
}

/** Throws what went wrong in reading them. */
export function rowsOf<Row>(answer: PreparedCalls['answers'][number]): Row[] {
  if (!Array.isArray(answer)) throw answer;
  return answer as Row[];
}

/** Never rejects. Clients and pools take a query of our own with a callback, which their types do not say. */
export function run(client: pg.ClientBase | pg.Pool, calls: readonly Call[]): Promise<Answered> {
  const query = new PreparedCalls(calls);
  return new Promise((resolve) => {
    const submit = client.query.bind(client) as unknown as Submit;
    submit(query, undefined, (error) => {
      resolve({ answers: query.answers, error: error ?? null, sent: query.sent });
    });
  });
}

type Submit = (
  query: PreparedCalls,
  values: undefined,
  callback: NonNullable<PreparedCalls['callback']>,
) => void;

/** Runs a text of one or several statements; the rows and the tag are those of the last. */
export async function exec(
  client: pg.ClientBase,
  text: string,
): Promise<{ rows: Record<string, unknown>[]; tag: string }> {
  try {
    const answer = (await client.query(text)) as pg.QueryResult | pg.QueryResult[];
    const last = Array.isArray(answer) ? answer.at(-1)! : answer;
    return { rows: last.rows, tag: last.command };
  } catch (error) {
    throw queryFault('exec', error);
  }
}

/** A client as the connection of transactions and migrations. */
export function connectionOf(client: pg.ClientBase): Connection {
  return {
    query: (statement, params) => query(client, statement, params),
    exec: (sql) => exec(client, sql),
  };
}
