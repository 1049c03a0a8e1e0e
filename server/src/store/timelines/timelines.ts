import { type Queryable, statement } from '../store.ts';

// A row that another process adds at the same moment is not visible: then `usedAt` is null.
const note = statement(
  'timelines.note',
  `with added as (
     insert into store_timeline (timeline, first_used_at) values ($1, $2) on conflict do nothing
     returning first_used_at
   )
   select coalesce((select first_used_at from added),
       (select first_used_at from store_timeline where timeline = $1)) as "usedAt",
     exists (select from store_timeline where timeline < $1) as "follows"`,
);

export const timelines = {
  /** Returns when the store first used a timeline after a failover, in Unix seconds; null: no failover led to it. */
  async note(tx: Queryable, timeline: number, now: number): Promise<number | null> {
    const [row] = await tx.query<{ usedAt: number | null; follows: boolean }>(note, [
      timeline,
      now,
    ]);
    return row!.follows ? (row!.usedAt ?? now) : null;
  },
};
