import type { Decimal } from '../../domain/amount.ts';
import { END_OF_TIME } from '../../domain/time.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** A USD price and its time of publication. */
export interface HeldPrice extends Decimal {
  readonly at: number;
}

const newest = statement(
  'prices.newest',
  `select asked.feed, asked.until, held.updated_at as at, held.value, held.decimals
   from unnest($1::text[], $2::bigint[], $3::bigint[]) as asked(feed, since, until),
   lateral (select updated_at, value, decimals from price where feed = asked.feed
     and at >= asked.since and at <= asked.until order by at desc, block_number desc, log_index desc limit 1) held
   where held.value is not null and held.updated_at >= asked.since`,
);
// A price published after the last state that was read of a chain is newer than that state.
const newestRatios = statement(
  'prices.newestRatios',
  `select f.slug, asked.chain_id as "chainId", coalesce(published.price, held.ratio_assets) as assets,
     case when published.price is null then held.ratio_shares else trunc(power(10::numeric, v.share_decimals)) end as shares
   from unnest($1::text[], $2::bigint[], $3::bigint[]) as asked(slug, chain_id, until) join family f on f.slug = asked.slug
   left join vault v on v.family_id = f.family_id and v.chain_id = asked.chain_id
   left join lateral (select at, ratio_assets, ratio_shares from chain_tick where family_id = f.family_id
     and chain_id = asked.chain_id and at <= asked.until and ratio_shares is not null order by at desc limit 1) held on true
   left join lateral (select block_time, price from share_price
     where family_id = f.family_id and chain_id = asked.chain_id and block_time <= asked.until
     order by block_number desc, log_index desc limit 1) published
     on published.block_time > coalesce(held.at, -1) and published.price > 0
   where published.price is not null or held.ratio_shares is not null`,
);

/** A feed, and the range of publication times of its price. */
export interface AskedPrice {
  readonly feed: string;
  readonly since: number;
  readonly until: number;
}

/** The newest price of each feed between two times, if there is one. */
export async function getNewestPrices(
  db: Queryable,
  asked: readonly AskedPrice[],
): Promise<(feed: string, until: number) => HeldPrice | null> {
  if (asked.length === 0) return () => null;
  const rows = await db.query<HeldPrice & { feed: string; until: number }>(newest, [
    textColumn(asked.map(({ feed }) => feed)),
    intColumn(asked.map(({ since }) => since)),
    intColumn(asked.map(({ until }) => until)),
  ]);
  const key = (feed: string, until: number) => `${until} ${feed}`;
  const found = new Map(rows.map(({ feed, until, ...price }) => [key(feed, until), price]));
  return (feed, until) => found.get(key(feed, until)) ?? null;
}

/** The value of one share of a family on each requested chain, now or at a time, if anything was read there by then. */
export async function getNewestRatios(
  db: Queryable,
  asked: readonly {
    readonly slug: string;
    readonly chainId: number;
    /** Absent: now. */
    readonly until?: number;
  }[],
): Promise<(slug: string, chainId: number) => Ratio | null> {
  const rows = await db.query<Ratio & { slug: string; chainId: number }>(newestRatios, [
    textColumn(asked.map(({ slug }) => slug)),
    intColumn(asked.map(({ chainId }) => chainId)),
    intColumn(asked.map(({ until = END_OF_TIME }) => until)),
  ]);
  const found = new Map(
    rows.map(({ slug, chainId, assets, shares }) => [`${slug} ${chainId}`, { assets, shares }]),
  );
  return (slug, chainId) => found.get(`${slug} ${chainId}`) ?? null;
}
