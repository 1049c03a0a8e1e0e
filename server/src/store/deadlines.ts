/**
 * How long the database may take for one statement of each class, in milliseconds, before it cancels the statement. A
 * leader has as long as its heartbeat allows; a migration has no limit.
 */
export interface Deadlines {
  /** A read on the replica. The primary can serve it too, so a reader does not wait. */
  readonly replica: number;
  /** A single statement on the primary: a few rows by an index, or a page. */
  readonly single: number;
  /** Within a transaction: bulk writes. */
  readonly transaction: number;
  /** Declared as long: reads a whole table. */
  readonly long: number;
  /** Between two statements, while others wait for a lock of the session: a lead, a migration, or a transaction. */
  readonly idle: number;
}

export const STATEMENT_MS: Deadlines = {
  replica: 600,
  single: 10_000,
  transaction: 60_000,
  long: 600_000,
  // Twenty heartbeats of a leader: longer than a garbage collection or a busy machine takes, and short for a standby.
  idle: 20_000,
};

/** A host that fails silently closes no socket, so the client closes it when a response is overdue by this much. */
const OVERDUE_MS = 1_000;

/** From sending a statement of a class to its complete result. */
export function socketMs(statementMs: number): number {
  return statementMs + OVERDUE_MS;
}

/** Until a connection is usable: open, accepted by the server, and set up. */
export const CONNECT_MS = 5_000;
