import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** The use of one key that one process has allowed, since its row was created. */
export interface LimitUse {
  readonly owner: string;
  readonly limiter: string;
  /** A hash, so that the store contains no payers or addresses. */
  readonly key: string;
  readonly taken: number;
}

// Removes idle rows; each process removes its own, unless it is gone. Rows that another process is using are skipped,
// because two processes that wait for each other's rows would deadlock.
const exchange = statement(
  'limitUse.exchange',
  `with news as (
     select * from unnest($2::text[], $3::text[], $4::bigint[]) as n (limiter, key, taken)
   ), said as (
     insert into limit_use (owner, limiter, key, taken, at)
     select $1, limiter, key, taken, now() from news
     on conflict (owner, limiter, key) do update set taken = limit_use.taken + excluded.taken, at = excluded.at
   ), resting as (
     select u.owner, u.limiter, u.key from limit_use u
     where u.at < now() - (case when u.owner = $1 then interval '10 seconds' else interval '1 minute' end)
       and not exists (select from news n where u.owner = $1 and n.limiter = u.limiter and n.key = u.key)
     for update skip locked
   ), removed as (
     delete from limit_use u using resting r
     where u.owner = r.owner and u.limiter = r.limiter and u.key = r.key
   )
   select owner, limiter, key, taken from limit_use where owner <> $1`,
);

export const limitUse = {
  /** Adds the use of this process and returns that of the others, in one statement. */
  exchange: (
    db: Queryable,
    owner: string,
    news: readonly Omit<LimitUse, 'owner'>[],
  ): Promise<LimitUse[]> =>
    db.query(exchange, [
      owner,
      textColumn(news.map(({ limiter }) => limiter)),
      textColumn(news.map(({ key }) => key)),
      intColumn(news.map(({ taken }) => taken)),
    ]),
};
