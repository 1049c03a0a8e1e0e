import type { Ratio } from '../../domain/vault/ratio.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import type { HeldPrice } from './read.ts';

const pricesAt = statement(
  'prices.atTime',
  `select asked.feed, held.updated_at as at, held.value, held.decimals from unnest($1::text[]) as asked(feed),
   lateral (select updated_at, value, decimals from price
     where feed = asked.feed and at <= $2 order by at desc, block_number desc, log_index desc limit 1) held
   where held.value is not null and held.updated_at >= $2::bigint - $3::bigint`,
);
// As in prices.newestRatios: prices published after the last state that was read are newer than that state.
const ratiosAt = statement(
  'prices.ratiosAtTime',
  `select f.slug, asked.chain_id as "chainId", coalesce(published.price, held.ratio_assets) as assets,
     case when published.price is null then held.ratio_shares else trunc(power(10::numeric, v.share_decimals)) end as shares
   from unnest($1::text[], $2::bigint[]) as asked(slug, chain_id) join family f on f.slug = asked.slug
   left join vault v on v.family_id = f.family_id and v.chain_id = asked.chain_id
   left join lateral (select at, ratio_assets, ratio_shares from chain_tick where family_id = f.family_id
     and chain_id = asked.chain_id and at <= $3 and ratio_shares is not null order by at desc limit 1) held on true
   left join lateral (select block_time, price from share_price
     where family_id = f.family_id and chain_id = asked.chain_id and block_time <= $3
     order by block_number desc, log_index desc limit 1) published
     on published.block_time > coalesce(held.at, -1) and published.price > 0
   where published.price is not null or held.ratio_shares is not null`,
);

/** The price of each feed in force at a time, if it was at most `maxAgeSeconds` old then. */
export async function getPricesAt(
  db: Queryable,
  feeds: readonly string[],
  at: number,
  maxAgeSeconds: number,
): Promise<ReadonlyMap<string, HeldPrice>> {
  if (feeds.length === 0) return new Map();
  const rows = await db.query<HeldPrice & { feed: string }>(pricesAt, [
    textColumn(feeds),
    at,
    maxAgeSeconds,
  ]);
  return new Map(rows.map(({ feed, ...price }) => [feed, price]));
}

/** The value of one share of a family at a time on each requested chain; null before anything was read there. */
export async function getRatiosAt(
  db: Queryable,
  asked: readonly { readonly slug: string; readonly chainId: number }[],
  at: number,
): Promise<(slug: string, chainId: number) => Ratio | null> {
  const rows = await db.query<Ratio & { slug: string; chainId: number }>(ratiosAt, [
    textColumn(asked.map(({ slug }) => slug)),
    intColumn(asked.map(({ chainId }) => chainId)),
    at,
  ]);
  const found = new Map(
    rows.map(({ slug, chainId, assets, shares }) => [`${slug} ${chainId}`, { assets, shares }]),
  );
  return (slug, chainId) => found.get(`${slug} ${chainId}`) ?? null;
}
