import { randomInt } from 'node:crypto';
import type { AlertState, StoredTransition, Transition } from '../../domain/alerts/evaluate.ts';
import type { AlertKind } from '../../domain/alerts/rule.ts';
import { intColumn, numericColumn, textColumn } from '../columns.ts';
import { EVENT_CHANNEL } from '../events/events.ts';
import { type Queryable, statement } from '../store.ts';

/** An alert of a family. */
export interface AlertKey {
  readonly name: string;
  readonly familyId: number;
  readonly chainId: number;
}

/** Its state is the one at `evaluatedUntil`. */
export interface AlertRow extends AlertKey, AlertState {
  readonly evaluatedUntil: number;
  readonly reference: number | null;
  /** Transitions after `evaluatedUntil`, in order of time: they are to be evaluated again. */
  readonly later: readonly StoredTransition[];
}

/** The result of one pass for an alert. */
export interface AlertResult extends AlertKey {
  readonly kind: AlertKind;
  readonly byClock: boolean;
  readonly evaluatedUntil: number;
  /** Of the last observation. */
  readonly value: bigint | null;
  readonly reference: number | null;
  readonly transitions: readonly Transition[];
  /** Ids of stored transitions that no longer hold. */
  readonly retracted: readonly number[];
  readonly bounds: Readonly<Record<Transition['status'], bigint>>;
  readonly targets: readonly string[];
}

/** A transition that no longer holds. */
export interface RetractedAlert {
  readonly id: number;
  readonly name: string;
  readonly familyId: number;
}

export const ALERT_STATUS: Readonly<Record<Transition['status'], number>> = {
  fired: 1,
  cleared: 2,
};
const END_OF_TAGS = 2 ** 31 - 1;

const ofFamilies = statement(
  'alerts.ofFamilies',
  `select a.name, a.family_id as "familyId", a.chain_id as "chainId", a.evaluated_until as "evaluatedUntil", a.reference,
     coalesce((select t.status = 1 from alert_transition t where t.family_id = a.family_id and t.name = a.name
       and t.chain_id = a.chain_id and t.retracted_seq is null and (t.by_clock or t.at <= a.evaluated_until)
       order by t.at desc, t.id desc limit 1), false) as "active",
     (select max(t.at) from alert_transition t where t.family_id = a.family_id and t.name = a.name
       and t.chain_id = a.chain_id and t.retracted_seq is null and (t.by_clock or t.at <= a.evaluated_until)
       and t.status = 1) as "firedAt"
   from alert a where a.family_id = any($1::smallint[])`,
);
const later = statement(
  'alerts.later',
  `select a.name, a.family_id as "familyId", a.chain_id as "chainId", t.id, t.at,
     case t.status when 1 then 'fired' else 'cleared' end as status, t.final_seq is not null as "isFinal"
   from alert a join alert_transition t on t.family_id = a.family_id and t.name = a.name and t.chain_id = a.chain_id
     and t.at > a.evaluated_until
   where a.family_id = any($1::smallint[]) and t.retracted_seq is null and not t.by_clock order by t.at, t.id`,
);
const save = statement(
  'alerts.save',
  `insert into alert (name, family_id, chain_id, kind, evaluated_until, value, reference)
   select * from unnest($1::text[], $2::smallint[], $3::bigint[], $4::text[], $5::bigint[], $6::numeric[], $7::smallint[])
   on conflict (name, family_id, chain_id) do update set kind = excluded.kind, evaluated_until = excluded.evaluated_until,
     value = excluded.value, reference = excluded.reference`,
);
// The batch covers an empty range of blocks, so its rows are found by the batch number.
const announce = (state: 1 | 3, column: string) => `
  head as (update event_head set seq = seq + 1 where exists (select from due) returning seq),
  batch as (insert into event_batch (seq, tag, chain_id, state, families, from_block, to_block, from_time, to_time, committed_at)
    select seq, $1, $2, ${state}, '{}', 1, 0, 0, 0, extract(epoch from now())::bigint from head),
  numbered as (update alert_transition t set ${column} = head.seq from head, due where t.id = due.id returning t.id)`;
// Not in `announce`: a row is not visible to the statement that inserts it.
const add = statement(
  'alerts.add',
  `insert into alert_transition (name, family_id, chain_id, kind, status, at, block_number, value, bound, by_clock, targets)
   select $1, $2, $3, $4, given.status, given.at, coalesce(
       (select c.block_number from chain_tick c where c.family_id = $2 and c.chain_id = $3 and c.at <= given.at
         order by c.at desc limit 1),
       (select indexed_block from chain where chain_id = $3), 0), given.value, given.bound, $9, $10::text[]
   from unnest($5::smallint[], $6::bigint[], $7::numeric[], $8::numeric[]) as given(status, at, value, bound)
   returning id`,
);
const queue = statement(
  'alerts.queue',
  `insert into alert_message (transition_id, retracted, target, due_at)
   select t.id, false, target, $2 from alert_transition t, unnest(t.targets) as target where t.id = any($1::bigint[])`,
);
const announceApplied = statement(
  'alerts.announceApplied',
  `with due as (select unnest($3::bigint[]) as id), ${announce(1, 'applied_seq')}
   select pg_notify('${EVENT_CHANNEL}', '') from head`,
);
const announceFinal = statement(
  'alerts.announceFinal',
  `with due as (select unnest($3::bigint[]) as id), ${announce(3, 'final_seq')}
   select pg_notify('${EVENT_CHANNEL}', '') from head`,
);
// Final when each chain of the family has a final state at or after the time.
const finalize = statement(
  'alerts.finalize',
  `with due as (select t.id from alert_transition t where t.final_seq is null and t.retracted_seq is null
       and t.family_id = any($3::smallint[]) and not exists (
         select from source s where s.family_id = t.family_id and s.readable and not exists (
           select from chain_tick c join event_chain e on e.chain_id = c.chain_id
           where c.family_id = t.family_id and c.chain_id = s.chain_id and c.at >= t.at and c.block_number <= e.final_block))),
   ${announce(3, 'final_seq')}
   select pg_notify('${EVENT_CHANNEL}', '') from head`,
);
const retracting = (condition: string) => `
  with due as (select id, targets from alert_transition where ${condition} and retracted_seq is null and not by_clock),
   head as (update event_head set seq = seq + 1 where exists (select from due) returning seq),
   batch as (insert into event_batch (seq, tag, chain_id, state, families, from_block, to_block, from_time, to_time, committed_at)
     select seq, $1, $2, 2, '{}', 1, 0, 0, 0, extract(epoch from now())::bigint from head),
   message as (insert into alert_message (transition_id, retracted, target, due_at)
     select due.id, true, target, $4 from due, unnest(due.targets) as target)
   update alert_transition t set retracted_seq = head.seq from head, due where t.id = due.id
   returning t.id, t.name, t.family_id as "familyId"`;
const retract = statement(
  'alerts.retract',
  retracting(
    'family_id = any($3::smallint[]) and at >= $5 and not (at = $5 and chain_id = $2 and block_number <= $6)',
  ),
);
const retractSome = statement('alerts.retractSome', retracting('id = any($3::bigint[])'));
const rewind = statement(
  'alerts.rewind',
  'update alert set evaluated_until = least(evaluated_until, $2) where family_id = any($1::smallint[])',
);
// Without its thinned ticks, an evaluation would retract what was true.
const reopen = statement(
  'alerts.reopen',
  `update alert a set evaluated_until = greatest($2::bigint - 1, least(a.evaluated_until, f.hourly_until))
   from family f where f.family_id = a.family_id and a.family_id = any($1::smallint[]) and a.evaluated_until >= $2`,
);
const forget = statement('alerts.forget', 'delete from alert where family_id = $1');

export const alerts = {
  /** The alerts of families that were evaluated before, with their states. */
  async getOfFamilies(db: Queryable, familyIds: readonly number[]): Promise<AlertRow[]> {
    type Later = StoredTransition & AlertKey;
    const rows = await db.query<Omit<AlertRow, 'later'>>(ofFamilies, [intColumn(familyIds)]);
    const after = await db.query<Later>(later, [intColumn(familyIds)]);
    return rows.map((row) => ({ ...row, later: after.filter((one) => isOf(one, row)) }));
  },
  /**
   * Has the families evaluated again from a time on, because rows of that time were added late. Their transitions stay
   * until then.
   */
  reopen: (tx: Queryable, familyIds: readonly number[], from: number) =>
    tx.query(reopen, [intColumn(familyIds), from]),
  /**
   * Writes the results, announces them in the feed, and queues messages. Call it late in a transaction, as for
   * `events`.
   */
  async save(tx: Queryable, results: readonly AlertResult[], now: number): Promise<void> {
    if (results.length === 0) return;
    await tx.query(save, [
      textColumn(results.map(({ name }) => name)),
      intColumn(results.map(({ familyId }) => familyId)),
      intColumn(results.map(({ chainId }) => chainId)),
      textColumn(results.map(({ kind }) => kind)),
      intColumn(results.map(({ evaluatedUntil }) => evaluatedUntil)),
      numericColumn(results.map(({ value }) => value)),
      intColumn(results.map(({ reference }) => reference)),
    ]);
    for (const { chainId, retracted, ...result } of results) {
      if (retracted.length > 0) {
        const params = [randomInt(END_OF_TAGS), chainId, intColumn(retracted), now];
        await tx.query(retractSome, params);
      }
      if (result.transitions.length > 0) await addTransitions(tx, { ...result, chainId }, now);
    }
  },
  /** Announces the transitions of families whose blocks are final. */
  finalize: (tx: Queryable, chainId: number, familyIds: readonly number[]) =>
    tx.query(finalize, [randomInt(END_OF_TAGS), chainId, intColumn(familyIds)]),
  /**
   * Retracts the values that were measured after a block that a reorg removed, and those in the block's own second
   * unless they came from that block. Those times are then evaluated again.
   */
  async retract(
    tx: Queryable,
    chainId: number,
    familyIds: readonly number[],
    to: { readonly number: number; readonly time: number },
    now: number,
  ): Promise<RetractedAlert[]> {
    await tx.query(rewind, [intColumn(familyIds), to.time - 1]);
    const params = [
      ...[randomInt(END_OF_TAGS), chainId, intColumn(familyIds)],
      ...[now, to.time, to.number],
    ];
    return tx.query<RetractedAlert>(retract, params);
  },
  /** Retracts every measurement of a family that is read again from its first block. */
  async forget(tx: Queryable, chainId: number, familyId: number): Promise<void> {
    // Its messages are due at once.
    await alerts.retract(tx, chainId, [familyId], { number: -1, time: 0 }, 0);
    await tx.query(forget, [familyId]);
  },
};

function isOf(one: AlertKey, { name, familyId, chainId }: AlertKey): boolean {
  return one.name === name && one.familyId === familyId && one.chainId === chainId;
}

async function addTransitions(
  tx: Queryable,
  result: Omit<AlertResult, 'retracted'>,
  now: number,
): Promise<void> {
  const { name, familyId, chainId, kind, transitions, bounds, byClock, targets } = result;
  const rows = await tx.query<{ id: number }>(add, [
    ...[name, familyId, chainId, kind],
    intColumn(transitions.map(({ status }) => ALERT_STATUS[status])),
    intColumn(transitions.map(({ at }) => at)),
    numericColumn(transitions.map(({ value }) => value)),
    numericColumn(transitions.map(({ status }) => bounds[status])),
    byClock,
    textColumn(targets),
  ]);
  const ids = intColumn(rows.map(({ id }) => id));
  await tx.query(queue, [ids, now]);
  // A reorg does not remove values that were measured by the clock.
  await tx.query(byClock ? announceFinal : announceApplied, [randomInt(END_OF_TAGS), chainId, ids]);
}
