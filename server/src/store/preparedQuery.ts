import type { Connection, Submittable } from 'pg';
import type { Statement } from './store.ts';
import { readerOf } from './wire.ts';

type Values = readonly (string | null)[];
type Row = Record<string, unknown>;
type ReadRow = (values: Values) => Row;

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** What the driver's own queries use of a connection besides. */
interface Wire extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
}

/** How the rows of each statement are read, as its first answer on a connection told. */
const shapes = new WeakMap<Connection, Map<string, ReadRow>>();

/**
 * A prepared statement for `query` of a client or a pool. It is described once on each connection; the driver's own
 * has itself described each time, and makes more of each answer than rows.
 */
export class PreparedQuery implements Submittable {
  readonly name: string;
  readonly text: string;
  readonly values: Values;
  /** Set by the client. */
  callback: ((error: Error | null, rows?: Row[]) => void) | undefined;
  readonly #rows: Row[] = [];
  #known: Map<string, ReadRow> | undefined;
  #read: ReadRow | undefined;
  #failure: Error | undefined;

  constructor({ name, text }: Statement, values: Values) {
    this.name = name;
    this.text = text;
    this.values = values;
  }

  submit(connection: Connection): void {
    const wire = connection as Wire;
    this.#known = shapes.get(connection) ?? new Map();
    shapes.set(connection, this.#known);
    this.#read = this.#known.get(this.name);
    // In one packet.
    wire.stream.cork();
    try {
      this.#send(wire);
    } finally {
      wire.stream.uncork();
    }
  }

  #send(wire: Wire): void {
    const { name, text, values } = this;
    if (wire.parsedStatements[name] === undefined && !(name in wire.submittedNamedStatements)) {
      wire.parse({ name, text, types: [] }, true);
      wire.submittedNamedStatements[name] = text;
    }
    wire.bind({ statement: name, values: values as string[] }, true);
    if (this.#read === undefined) wire.describe({ type: 'P', name: '' }, true);
    wire.execute(null, true);
    wire.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#read = readerOfRows(fields);
    this.#known!.set(this.name, this.#read);
  }

  handleDataRow({ fields }: { readonly fields: Values }): void {
    try {
      this.#rows.push(this.#read!(fields));
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  handleReadyForQuery(): void {
    if (this.#failure !== undefined) this.callback!(this.#failure);
    else this.callback!(null, this.#rows);
  }

  handleError(error: Error): void {
    this.callback!(error);
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
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
