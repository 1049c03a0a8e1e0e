import type { AlertKind } from '../../domain/alerts/rule.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** The current state of an alert. */
export interface ListedAlert {
  readonly name: string;
  readonly family: string;
  readonly chainId: number;
  readonly kind: AlertKind;
  readonly active: boolean;
  /** When it became active or clear; null: it never fired. */
  readonly since: number | null;
  readonly evaluatedUntil: number;
  readonly value: bigint | null;
  readonly assetDecimals: number | null;
  readonly assetSymbol: string | null;
}

/** A transition that is not retracted; in a message, it can be a retracted one. */
export interface ListedTransition {
  readonly id: number;
  readonly name: string;
  readonly family: string;
  readonly chainId: number;
  readonly kind: AlertKind;
  /** As in `ALERT_STATUS`. */
  readonly status: number;
  readonly at: number;
  readonly blockNumber: number;
  readonly value: bigint;
  readonly bound: bigint;
  /** When it was announced; null: the feed no longer has it. */
  readonly announcedAt: number | null;
  readonly assetDecimals: number | null;
  readonly assetSymbol: string | null;
}

const ASSET = (row: string) => `
  (select max(v.asset_decimals) from vault v where v.family_id = ${row}.family_id) as "assetDecimals",
  (select max(v.asset_symbol) from vault v where v.family_id = ${row}.family_id) as "assetSymbol"`;

/** SQL: the columns of a transition `t` of a family `f`. */
export const TRANSITION = `t.id, t.name, f.slug as family, t.chain_id as "chainId", t.kind, t.status, t.at,
  t.block_number as "blockNumber", t.value, t.bound,
  (select b.committed_at from event_batch b where b.seq = coalesce(t.applied_seq, t.final_seq)) as "announcedAt",
  ${ASSET('t')}`;

const list = statement(
  'alerts.list',
  `select a.name, f.slug as family, a.chain_id as "chainId", a.kind, coalesce(last.status = 1, false) as active,
     last.at as since, a.evaluated_until as "evaluatedUntil", a.value, ${ASSET('a')}
   from alert a join family f on f.family_id = a.family_id
   left join lateral (select t.status, t.at from alert_transition t where t.family_id = a.family_id and t.name = a.name
     and t.chain_id = a.chain_id and t.retracted_seq is null order by t.at desc, t.id desc limit 1) last on true
   where a.name = any($1::text[]) and ($2::text is null or f.slug = $2) order by a.name, f.slug, a.chain_id`,
);
const recent = statement(
  'alerts.recent',
  `select ${TRANSITION} from alert_transition t join family f on f.family_id = t.family_id
   where t.retracted_seq is null and t.name = any($1::text[]) and ($2::text is null or f.slug = $2)
   order by t.at desc, t.id desc limit $3`,
);
const added = statement(
  'alerts.added',
  `select ${TRANSITION} from alert_transition t join family f on f.family_id = t.family_id
   where t.family_id = any($1::smallint[]) and t.id > $2 order by t.id`,
);
const lastId = statement(
  'alerts.lastId',
  'select coalesce(max(id), 0) as id from alert_transition',
);

export const alertLists = {
  /** The evaluated alerts with these names, of one family or of all. */
  getAll: (db: Queryable, names: readonly string[], family: string | null) =>
    db.query<ListedAlert>(list, [textColumn(names), family]),
  /** Their newest transitions, newest first, without those that were retracted. */
  getRecent: (db: Queryable, names: readonly string[], family: string | null, limit: number) =>
    db.query<ListedTransition>(recent, [textColumn(names), family, limit]),
  /** Transitions of families with a higher id, in their order. */
  getAdded: (db: Queryable, familyIds: readonly number[], after: number) =>
    db.query<ListedTransition>(added, [intColumn(familyIds), after]),
  async findLastId(db: Queryable): Promise<number> {
    const [row] = await db.query<{ id: number }>(lastId);
    return row!.id;
  },
};
