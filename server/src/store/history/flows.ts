import { DAY } from '../../domain/time.ts';
import { type Queryable, statement } from '../store.ts';

/** What was paid into a family and out of it on one day, in base units of its asset. */
export interface DayFlow {
  /** Start of the UTC day, in Unix seconds. */
  readonly day: number;
  readonly deposited: bigint;
  readonly withdrawn: bigint;
  readonly deposits: number;
  readonly withdrawals: number;
}

const byDay = statement(
  'flows.byDay',
  `select h.block_time / ${DAY} * ${DAY} as day,
     coalesce(sum(h.assets) filter (where h.type = 1), 0)::numeric(78,0) as deposited,
     coalesce(sum(h.assets) filter (where h.type = 2), 0)::numeric(78,0) as withdrawn,
     count(*) filter (where h.type = 1) as deposits, count(*) filter (where h.type = 2) as withdrawals
   from family f join history h on h.family_id = f.family_id and h.block_time >= $2
   where f.slug = $1 and h.type in (1, 2) group by 1 order by 1`,
);

const before = statement(
  'flows.before',
  `select exists (select 1 from family f join history h on h.family_id = f.family_id and h.block_time < $2
     where f.slug = $1 and h.type in (1, 2)) as "has"`,
);

/** The days with a deposit or a payout, oldest first; `from` is the start of the first that is included. */
export function getDayFlows(db: Queryable, slug: string, from: number): Promise<DayFlow[]> {
  return db.query<DayFlow>(byDay, [slug, from]);
}

export async function hasFlowsBefore(db: Queryable, slug: string, time: number): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(before, [slug, time]);
  return row!.has;
}
