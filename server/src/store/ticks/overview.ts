import { DAY } from '../../domain/time.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** The value of a family at the end of a day. */
export interface DayValue {
  readonly slug: string;
  readonly at: number;
  readonly tvl: bigint;
  readonly usd: number | null;
}

/** The value of a family at or shortly before a requested time. */
export interface ValueAt extends DayValue {
  readonly askedAt: number;
  readonly totalShares: bigint | null;
}

const days = statement(
  'overview.days',
  `select f.slug, r.tvl_at as "at", r.tvl, r.usd from family f join tick_rollup r on r.family_id = f.family_id
   where f.slug = any($1::text[]) and r.span = ${DAY} and r.bucket >= $2 and r.tvl_at is not null
   order by f.slug, r.bucket`,
);
const valuesAt = statement(
  'overview.valuesAt',
  `select f.slug, asked.at as "askedAt", t.at, t.tvl, t.usd, t.total_shares as "totalShares"
   from family f cross join unnest($2::bigint[]) as asked(at)
   cross join lateral (select at, tvl, usd, total_shares from tick where tick.family_id = f.family_id
     and tick.at <= asked.at and tick.at > asked.at - ${DAY} and tvl is not null order by tick.at desc limit 1) t
   where f.slug = any($1::text[]) order by f.slug, asked.at`,
);

export const overview = {
  /** The last value of each day, from the day of `from` on. */
  getDays(db: Queryable, slugs: readonly string[], from: number): Promise<DayValue[]> {
    return db.query<DayValue>(days, [textColumn(slugs), from]);
  },
  /** A family without a value in the day before a requested time is left out. */
  getValuesAt(
    db: Queryable,
    slugs: readonly string[],
    times: readonly number[],
  ): Promise<ValueAt[]> {
    return db.query<ValueAt>(valuesAt, [textColumn(slugs), intColumn(times)]);
  },
};
