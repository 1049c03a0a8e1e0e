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

/** Told of each answer as soon as it is there. */
export type OnAnswer = (answer: Row[] | Error, call: number) => void;

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** How the rows of each statement are read, as its first answer on a connection told. */
const shapes = new WeakMap<Connection, Map<string, ReadRow>>();

/**
 * Calls for `query` of a client or a pool: one packet there, one back. A statement is described once on each
 * connection; the driver's own query has itself described each time, and makes more of each answer than rows.
 */
export class PreparedCalls implements Submittable {
  /** What each call gave, up to the first that the database refused; those after it were not run. */
  readonly answers: (Row[] | Error)[] = [];
  /** Whether the calls left for the database at all. */
  sent = false;
  /** Whether the connection was cut because no answer came. */
  overdue = false;
  /** Set by the client. */
  callback: ((error: Error | null) => void) | undefined;
  /** None of them any more once they have left: values are large. */
  #calls: readonly Call[];
  readonly #names: readonly string[];
  readonly #socketMs: number | undefined;
  readonly #onAnswer: OnAnswer | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #known: Map<string, ReadRow> | undefined;
  /** Of the call that is being answered. */
  #read: ReadRow | undefined;
  #rows: Row[] = [];
  #failure: Error | undefined;

  /** `socketMs`: the connection is cut when they are not all answered so long after they left. */
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
      // The driver then fails this query, and whoever lent the connection throws it away.
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
          // A call that failed may have left it.
          connection.close({ type: 'S', name }, true);
          connection.parse({ name, text, types: [] }, true);
          described.add(name);
        }
        connection.bind({ statement: name, values: values as string[] }, true);
        if (isNew) connection.describe({ type: 'P', name: '' }, true);
        connection.execute(null, true);
        // Else the database keeps its answer until the last call is done.
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
    // Its result may have another type than when it was described: it is described anew next time.
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
