import type { Connection, Submittable } from 'pg';
import type { Statement } from './store.ts';
import { readerOf } from './wire.ts';

type Row = Record<string, unknown>;
type Values = readonly (string | null)[];
type ReadRow = (values: Values) => Row;

/** A prepared statement and its values. */
export interface Call {
  readonly statement: Statement;
  readonly values: Values;
}

/** Receives each result as soon as it arrives. */
export type OnAnswer = (answer: Row[] | Error, call: number) => void;

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** How to read the rows of each statement, from its first result on a connection. */
const shapes = new WeakMap<Connection, Map<string, ReadRow>>();

/**
 * Calls for `query` of a client or a pool: one packet there, one back. A statement is described once on each
 * connection; the driver's own query describes it each time, and builds more than rows from each result.
 */
export class PreparedCalls implements Submittable {
  /** The result of each call, up to the first that the database rejected; those after it did not run. */
  readonly answers: (Row[] | Error)[] = [];
  /** Whether the calls were sent to the database at all. */
  sent = false;
  /** Whether the connection was closed because no response came. */
  overdue = false;
  /** Set by the client. */
  callback: ((error: Error | null) => void) | undefined;
  /** Empty once they are sent, because values are large. */
  #calls: readonly Call[];
  readonly #names: readonly string[];
  readonly #socketMs: number | undefined;
  readonly #onAnswer: OnAnswer | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #known: Map<string, ReadRow> | undefined;
  /** Belongs to the call whose response is being read. */
  #read: ReadRow | undefined;
  #rows: Row[] = [];
  #failure: Error | undefined;

  /** `socketMs`: the connection is closed if the responses are not complete this long after sending. */
  constructor(calls: readonly Call[], socketMs?: number, onAnswer?: OnAnswer) {
    this.#calls = calls;
    this.#names = calls.map(({ statement }) => statement.name);
    this.#socketMs = socketMs || undefined;
    this.#onAnswer = onAnswer;
  }

  submit(connection: Connection): void {
    const known = shapes.get(connection) ?? new Map<string, ReadRow>();
    shapes.set(connection, known);
    this.#known = known;
    this.sent = true;
    if (this.#socketMs !== undefined) {
      // The driver then fails this query, and the owner discards the connection.
      this.#deadline = setTimeout(() => {
        this.overdue = true;
        connection.stream.destroy();
      }, this.#socketMs);
    }
    connection.stream.cork();
    try {
      const described = new Set<string>();
      for (const { statement, values } of this.#calls) {
        const { name, text } = statement;
        const isNew = !known.has(name) && !described.has(name);
        if (isNew) {
          // A failed call may have left it.
          connection.close({ type: 'S', name }, true);
          connection.parse({ name, text, types: [] }, true);
          described.add(name);
        }
        connection.bind({ statement: name, values: values as string[] }, true);
        if (isNew) connection.describe({ type: 'P', name: '' }, true);
        connection.execute(null, true);
        // Otherwise the database buffers its response until the last call is done.
        if (this.#onAnswer !== undefined) connection.flush();
      }
      connection.sync();
    } finally {
      this.#calls = [];
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#read = readerOfRows(fields);
  }

  handleDataRow({ fields }: { readonly fields: Values }): void {
    const name = this.#names[this.answers.length]!;
    this.#read ??= this.#known!.get(name)!;
    try {
      this.#rows.push(this.#read(fields));
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  handleCommandComplete(): void {
    const name = this.#names[this.answers.length]!;
    if (!this.#known!.has(name)) this.#known!.set(name, this.#read ?? readerOfRows([]));
    const answer = this.#failure ?? this.#rows;
    this.answers.push(answer);
    this.#onAnswer?.(answer, this.answers.length - 1);
    this.#read = undefined;
    this.#rows = [];
    this.#failure = undefined;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleReadyForQuery(): void {
    clearTimeout(this.#deadline);
    this.callback!(null);
  }

  handleError(error: Error): void {
    clearTimeout(this.#deadline);
    // Its result may have changed type since it was described, so it is described again next time.
    const failed = this.#names[this.answers.length];
    if (failed !== undefined) this.#known?.delete(failed);
    this.callback!(error);
  }
}

function readerOfRows(fields: readonly Field[]): ReadRow {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, read: readerOf(dataTypeID) }));
  return (values) => {
    const row: Row = {};
    for (const [i, { name, read }] of columns.entries()) {
      const value = values[i]!;
      row[name] = value === null ? null : read(value);
    }
    return row;
  };
}
