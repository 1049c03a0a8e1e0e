import type { Decimal } from '../../domain/amount.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** A USD price and the instant it was answered. */
export interface HeldPrice extends Decimal {
  readonly at: number;
}

const newest = statement(
  'prices.newest',
  `select asked.feed, held.updated_at as at, held.value, held.decimals from unnest($1::text[]) as asked(feed),
   lateral (select updated_at, value, decimals from price
     where feed = asked.feed and at >= $2 order by at desc, block_number desc, log_index desc limit 1) held
   where held.value is not null and held.updated_at >= $2`,
);
// What was published after the state that the newest tick stands on is newer than that tick, whatever its instant:
// a chain that cannot be read stands in with an old state.
const newestOfShares = statement(
  'prices.newestOfShares',
  `select f.slug, coalesce(published.price, held.price) as price
   from unnest($1::text[], $2::bigint[]) as asked(slug, chain_id) join family f on f.slug = asked.slug
   left join lateral (select at, assets_per_share as price from tick
     where family_id = f.family_id and assets_per_share is not null order by at desc limit 1) held on true
   left join lateral (select at from chain_tick where family_id = f.family_id and chain_id = asked.chain_id
     and at <= held.at order by at desc limit 1) state on true
   left join lateral (select block_time, price from share_price
     where family_id = f.family_id and chain_id = asked.chain_id
     order by block_number desc, log_index desc limit 1) published
     on published.block_time > coalesce(state.at, held.at, -1)
   where published.price is not null or held.price is not null`,
);

/** The newest price of each feed, where there is one that was answered at `since` or later. */
export async function getNewestPrices(
  db: Queryable,
  feeds: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, HeldPrice>> {
  if (feeds.length === 0) return new Map();
  const rows = await db.query<HeldPrice & { feed: string }>(newest, [textColumn(feeds), since]);
  return new Map(rows.map(({ feed, ...price }) => [feed, price]));
}

/**
 * The newest share price of each family by slug, base units of the base asset for one whole share: the last that was
 * published on its first settlement chain, or what the newest tick had where that is newer.
 */
export async function getNewestSharePrices(
  db: Queryable,
  asked: readonly { readonly slug: string; readonly priceChainId: number }[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.query<{ slug: string; price: bigint }>(newestOfShares, [
    textColumn(asked.map(({ slug }) => slug)),
    intColumn(asked.map(({ priceChainId }) => priceChainId)),
  ]);
  return new Map(rows.map(({ slug, price }) => [slug, price]));
}
