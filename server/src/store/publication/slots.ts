import { type Queryable, statement } from '../store.ts';

/** A logical replication slot of this database. */
export interface Slot {
  readonly slot: string;
  /** A subscriber is connected. */
  readonly active: boolean;
  /** PostgreSQL removed parts of the log that the subscriber has not received. */
  readonly lost: boolean;
  /** Bytes written since the position that the subscriber confirmed. Null: unknown. */
  readonly lagBytes: number | null;
  /** The part of the log that the slot keeps on the disk. Null: unknown. */
  readonly retainedBytes: number | null;
  /** How old the confirmed position is, and since when there is no subscriber (PostgreSQL 17). Null: unknown. */
  readonly lagSeconds: number | null;
}

// inactive_since exists since PostgreSQL 17, so it is read by its name in the row as JSON.
export const SLOTS = `select s.slot_name::text as slot, s.active, s.wal_status is not distinct from 'lost' as lost,
   case when not pg_is_in_recovery() then (pg_current_wal_lsn() - s.confirmed_flush_lsn)::bigint end as "lagBytes",
   case when not pg_is_in_recovery() then (pg_current_wal_lsn() - s.restart_lsn)::bigint end as "retainedBytes",
   extract(epoch from coalesce(r.replay_lag, now() - (to_jsonb(s)->>'inactive_since')::timestamptz))::float8 as "lagSeconds"
 from pg_replication_slots s left join pg_stat_replication r on r.pid = s.active_pid
 where s.slot_type = 'logical' and s.database = current_database() and not s.temporary
 order by s.slot_name`;

const list = statement('slots.list', SLOTS);

export const slots = {
  getAll: (store: Queryable) => store.query<Slot>(list),
};
