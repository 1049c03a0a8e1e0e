import type { EventPosition } from '../../domain/events/event.ts';
import { type Queryable, statement } from '../store.ts';
import { type Attempt, addAttempt, attemptParams } from './attempts.ts';

/** Channel that is notified when a command changes an endpoint. */
export const WEBHOOK_CHANNEL = 'assay_webhooks';

/** Why an endpoint is paused: by an operator, after the retry window, or because it returned 410. */
export type PauseReason = 'command' | 'retries' | 'unsubscribed';

/** Delivery state of an endpoint. */
export interface WebhookState extends EventPosition {
  readonly name: string;
  /** Changes when an operator sets the position. */
  readonly replays: number;
  readonly deliveredAt: number | null;
  /** Failed attempts since the last delivery. */
  readonly attempts: number;
  readonly failingSince: number | null;
  /** Unix milliseconds. */
  readonly retryAt: number | null;
  readonly lastError: string | null;
  readonly pausedAt: number | null;
  readonly pauseReason: PauseReason | null;
}

/** An endpoint with the seconds since the oldest commit that it has not passed; 0 if there is none. */
export interface WebhookProgress extends WebhookState {
  readonly lagSeconds: number;
}

type Key = Pick<WebhookState, 'name' | 'replays'>;

/** As the feed marks the position after every row of a batch. */
const END_OF_BATCH = Number.MAX_SAFE_INTEGER;
const COLUMNS = `w.name, w.batch, w.tag, w.block_number as "blockNumber", w.log_index as "logIndex", w.rank, w.replays,
  w.delivered_at as "deliveredAt", w.attempts, w.failing_since as "failingSince", w.retry_at as "retryAt",
  w.last_error as "lastError", w.paused_at as "pausedAt", w.pause_reason as "pauseReason"`;
const MOVE = 'batch = $3, tag = $4, block_number = $5, log_index = $6, rank = $7';
const SUCCEED = 'attempts = 0, failing_since = null, retry_at = null, last_error = null';
const NOTIFY = `select name, pg_notify('${WEBHOOK_CHANNEL}', name) from changed`;

const add = statement(
  'webhooks.add',
  `insert into webhook (name, batch, tag, block_number, log_index, rank) values ($1, $2, $3, $4, $5, $6)
   on conflict (name) do nothing`,
);
const find = statement('webhooks.find', `select ${COLUMNS} from webhook w where w.name = $1`);
const progress = statement(
  'webhooks.progress',
  `select ${COLUMNS}, coalesce(greatest(0, $1 - (
     select b.committed_at from event_batch b
     where b.seq >= w.batch + (case when w.block_number = ${END_OF_BATCH} or w.batch = 0 then 1 else 0 end)
     order by b.seq limit 1)), 0) as "lagSeconds"
   from webhook w order by w.name`,
);
const pass = statement(
  'webhooks.pass',
  `update webhook set ${MOVE} where name = $1 and replays = $2`,
);
const deliver = statement(
  'webhooks.deliver',
  `with changed as (update webhook set ${MOVE}, ${SUCCEED}, delivered_at = $8, sent = sent + 1
     where name = $1 and replays = $2 returning name, sent)
   ${addAttempt('changed', 9)}`,
);
const fail = statement(
  'webhooks.fail',
  `with changed as (update webhook set attempts = attempts + 1, failing_since = coalesce(failing_since, $3::bigint),
       retry_at = $4, last_error = $5, paused_at = case when $6::text is null then paused_at else $3::bigint end,
       pause_reason = coalesce($6::text, pause_reason), sent = sent + 1
     where name = $1 and replays = $2 returning name, sent)
   ${addAttempt('changed', 7)}`,
);
const pause = statement(
  'webhooks.pause',
  `with changed as (update webhook set paused_at = coalesce(paused_at, $2), pause_reason = coalesce(pause_reason, 'command')
     where name = $1 returning name) ${NOTIFY}`,
);
const resume = statement(
  'webhooks.resume',
  `with changed as (update webhook set ${SUCCEED}, paused_at = null, pause_reason = null where name = $1 returning name)
   ${NOTIFY}`,
);
const replay = statement(
  'webhooks.replay',
  `with changed as (update webhook set ${MOVE}, ${SUCCEED}, replays = replays + 1 where name = $1 and replays = $2
     returning name) ${NOTIFY}`,
);

/** Positions and states of webhook endpoints. */
export const webhooks = {
  /** Adds an endpoint at a position, unless it is known. */
  add: (db: Queryable, name: string, at: EventPosition) => db.query(add, [name, ...place(at)]),
  async find(db: Queryable, name: string): Promise<WebhookState | undefined> {
    const [found] = await db.query<WebhookState>(find, [name]);
    return found;
  },
  /** Returns every endpoint that was ever configured. `now` is in Unix seconds. */
  getProgress: (db: Queryable, now: number) => db.query<WebhookProgress>(progress, [now]),
  /** Moves an endpoint past events that it does not receive. */
  pass: (db: Queryable, { name, replays }: Key, to: EventPosition) =>
    db.query(pass, [name, replays, ...place(to)]),
  /** Records a delivery and moves the endpoint, unless an operator has moved it meanwhile. */
  deliver: (db: Queryable, { name, replays }: Key, to: EventPosition, attempt: Attempt) =>
    db.query(deliver, [name, replays, ...place(to), attempt.at, ...attemptParams(attempt)]),
  /** Records a failed attempt; `pauseReason` null: it is retried. */
  fail: (
    db: Queryable,
    { name, replays }: Key,
    attempt: Attempt & { readonly error: string },
    next: { readonly retryAt: number; readonly pauseReason: PauseReason | null },
  ) =>
    db.query(fail, [
      ...[name, replays, attempt.at, next.retryAt, attempt.error, next.pauseReason],
      ...attemptParams(attempt),
    ]),
  /** These three return whether the endpoint exists, and `replay` also whether no other process has moved it. */
  async pause(db: Queryable, name: string, now: number): Promise<boolean> {
    return (await db.query(pause, [name, now])).length > 0;
  },
  async resume(db: Queryable, name: string): Promise<boolean> {
    return (await db.query(resume, [name])).length > 0;
  },
  async replay(db: Queryable, { name, replays }: Key, after: EventPosition): Promise<boolean> {
    return (await db.query(replay, [name, replays, ...place(after)])).length > 0;
  },
};

function place({ batch, tag, blockNumber, logIndex, rank }: EventPosition) {
  return [batch, tag, blockNumber, logIndex, rank];
}
