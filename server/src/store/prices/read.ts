import type { Decimal } from '../../domain/amount.ts';
import { textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** A USD price and the instant it was told. */
export interface HeldPrice extends Decimal {
  readonly at: number;
}

const newest = statement(
  'prices.newest',
  `select asked.feed, held.at, held.value, held.decimals from unnest($1::text[]) as asked(feed),
   lateral (select at, value, decimals from price
     where feed = asked.feed and at >= $2 order by at desc, block_number desc, log_index desc limit 1) held`,
);
const newestOfShares = statement(
  'prices.newestOfShares',
  `select f.slug, held.price from family f,
   lateral (select assets_per_share as price from tick
     where family_id = f.family_id and assets_per_share is not null order by at desc limit 1) held
   where f.slug = any($1::text[])`,
);

/** The newest price of each feed that is not older than `since`, where there is one. */
export async function getNewestPrices(
  db: Queryable,
  feeds: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, HeldPrice>> {
  if (feeds.length === 0) return new Map();
  const rows = await db.query<HeldPrice & { feed: string }>(newest, [textColumn(feeds), since]);
  return new Map(rows.map(({ feed, ...price }) => [feed, price]));
}

/** The newest share price of each family by slug: base units of the base asset for one whole share. */
export async function getNewestSharePrices(
  db: Queryable,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const params = [textColumn(slugs)];
  const rows = await db.query<{ slug: string; price: bigint }>(newestOfShares, params);
  return new Map(rows.map(({ slug, price }) => [slug, price]));
}
