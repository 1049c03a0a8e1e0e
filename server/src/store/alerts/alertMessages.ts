import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { type ListedTransition, TRANSITION } from './readAlerts.ts';

/** A message to one target. */
export interface AlertMessage extends ListedTransition {
  readonly target: string;
  readonly retracted: boolean;
  readonly attempts: number;
}

// A process that claims messages keeps them until their lease ends; they are then due again for any process. A message
// is taken only if it is the first due message of its target, so messages arrive in order.
const claim = statement(
  'alertMessages.claim',
  `with target_due as (select target from (select distinct on (target) target, due_at from alert_message
       where target = any($1::text[]) order by target, transition_id, retracted) first where due_at <= $2),
   chosen as (select m.target, m.transition_id, m.retracted from alert_message m join target_due using (target)
     order by m.target, m.transition_id, m.retracted limit $4 for update of m skip locked),
   claimed as (update alert_message m set due_at = $3, attempts = m.attempts + 1 from chosen c
     where m.target = c.target and m.transition_id = c.transition_id and m.retracted = c.retracted
     returning m.target, m.transition_id, m.retracted, m.attempts)
   select c.target, c.retracted, c.attempts, ${TRANSITION} from claimed c
   join alert_transition t on t.id = c.transition_id join family f on f.family_id = t.family_id
   order by c.target, t.id, c.retracted`,
);
const remove = statement(
  'alertMessages.remove',
  `delete from alert_message m using unnest($2::bigint[], $3::boolean[]) as gone(id, retracted)
   where m.target = $1 and m.transition_id = gone.id and m.retracted = gone.retracted`,
);
const postpone = statement(
  'alertMessages.postpone',
  `update alert_message m set due_at = $4 from unnest($2::bigint[], $3::boolean[]) as late(id, retracted)
   where m.target = $1 and m.transition_id = late.id and m.retracted = late.retracted`,
);
const removeOthers = statement(
  'alertMessages.removeOthers',
  'delete from alert_message where target <> all($1::text[])',
);

function keysOf(messages: readonly Pick<AlertMessage, 'id' | 'retracted'>[]) {
  return [
    intColumn(messages.map(({ id }) => id)),
    textColumn(messages.map(({ retracted }) => String(retracted))),
  ] as const;
}

export const alertMessages = {
  /** Takes due messages for this process alone until `leaseUntil`. */
  claim: (
    db: Queryable,
    targets: readonly string[],
    times: { readonly now: number; readonly leaseUntil: number },
    limit: number,
  ) => db.query<AlertMessage>(claim, [textColumn(targets), times.now, times.leaseUntil, limit]),
  remove: (db: Queryable, target: string, messages: readonly AlertMessage[]) =>
    db.query(remove, [target, ...keysOf(messages)]),
  postpone: (db: Queryable, target: string, messages: readonly AlertMessage[], dueAt: number) =>
    db.query(postpone, [target, ...keysOf(messages), dueAt]),
  /** Drops messages to targets that are not configured. */
  removeOthers: (db: Queryable, targets: readonly string[]) =>
    db.query(removeOthers, [textColumn(targets)]),
};
