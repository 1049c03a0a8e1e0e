/**
 * How long the database may take over one statement of each class, in milliseconds, before it gives it up by itself.
 * A leader has as long as its heartbeat waits for it, a migration as long as it takes.
 */
export interface Deadlines {
  /** A read on the replica. The primary can answer it too, so a reader does not wait. */
  readonly replica: number;
  /** On the primary, by itself: a few rows by an index, or a page. */
  readonly single: number;
  /** Within a transaction: bulk writes. */
  readonly transaction: number;
  /** Declared as long: over a whole table. */
  readonly long: number;
  /** Between two statements, while others wait for what the session holds: a lead, a migration, or a transaction. */
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

/** A host that died silently is never heard of again: its socket is cut when the answer is this much overdue. */
const OVERDUE_MS = 1_000;

/** From sending a statement of a class to its whole answer. */
export function socketMs(statementMs: number): number {
  return statementMs + OVERDUE_MS;
}

/** To a connection that may be used: open, known to the server, set up. */
export const CONNECT_MS = 5_000;
