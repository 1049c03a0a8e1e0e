import { type Queryable, statement } from '../store.ts';

/** One attempt to deliver a message. */
export interface Attempt {
  /** Unix seconds. */
  readonly at: number;
  readonly messageId: string;
  /** Cursor before the message. */
  readonly afterCursor: string;
  readonly events: number;
  /** Null: there was no HTTP response. */
  readonly status: number | null;
  /** Null: delivered. */
  readonly error: string | null;
  readonly ms: number;
}

/** Newest attempts that are stored per endpoint. */
export const STORED_ATTEMPTS = 200;

const newest = statement(
  'webhookAttempts.newest',
  `select at, message_id as "messageId", after_cursor as "afterCursor", events, status, error, ms
   from webhook_attempt where name = $1 order by number desc limit $2`,
);

export const webhookAttempts = {
  /** Returns the newest attempts, newest first. */
  getNewest: (db: Queryable, name: string, limit: number) =>
    db.query<Attempt>(newest, [name, limit]),
};

/** SQL that stores an attempt for the row (name, sent) of `changed`. Its parameters start at `first`. */
export function addAttempt(changed: string, first: number): string {
  const [at, id, after, events, status, error, ms] = Array.from(
    { length: 7 },
    (_, i) => `$${first + i}`,
  );
  return `insert into webhook_attempt (name, slot, number, at, message_id, after_cursor, events, status, error, ms)
     select name, sent % ${STORED_ATTEMPTS}, sent, ${at}::bigint, ${id}::text, ${after}::text, ${events}::int, ${status}::int,
       ${error}::text, ${ms}::int from ${changed}
     on conflict (name, slot) do update set number = excluded.number, at = excluded.at, message_id = excluded.message_id,
       after_cursor = excluded.after_cursor, events = excluded.events, status = excluded.status, error = excluded.error,
       ms = excluded.ms`;
}

export function attemptParams({ at, messageId, afterCursor, events, status, error, ms }: Attempt) {
  return [at, messageId, afterCursor, events, status, error, ms];
}
