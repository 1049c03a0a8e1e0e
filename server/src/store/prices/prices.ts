import type { Decimal } from '../../domain/amount.ts';
import { intColumn, numericColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** A USD price of a feed, in force from `at` on. Prices that come from no chain have chain 0, block 0. */
export interface PriceRow extends Omit<Decimal, 'value'> {
  readonly at: number;
  /** When it was published: its age counts from then. Never after `at`. */
  readonly updatedAt: number;
  /** Null: from here on, there is no price. */
  readonly value: bigint | null;
  readonly chainId: number;
  readonly blockNumber: number;
  readonly logIndex: number;
}

const insert = statement(
  'prices.insert',
  `insert into price (feed, at, updated_at, chain_id, block_number, log_index, value, decimals)
   select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[],
     $7::numeric[], $8::smallint[])
   on conflict (feed, at, block_number, log_index) do nothing`,
);
const between = statement(
  'prices.between',
  `select at, updated_at as "updatedAt", value, decimals from price where feed = $1 and at >= $2 and at <= $3
   order by at, block_number, log_index`,
);
const removeAbove = statement(
  'prices.removeAbove',
  'delete from price where feed = $1 and chain_id = $2 and block_number > $3',
);
const range = statement(
  'prices.range',
  'select min(at) as "first", max(at) as "last" from price where feed = $1',
);

export const prices = {
  async insert(tx: Queryable, feed: string, rows: readonly PriceRow[]) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      feed,
      intColumn(rows.map((row) => row.at)),
      intColumn(rows.map((row) => row.updatedAt)),
      intColumn(rows.map((row) => row.chainId)),
      intColumn(rows.map((row) => row.blockNumber)),
      intColumn(rows.map((row) => row.logIndex)),
      numericColumn(rows.map((row) => row.value)),
      intColumn(rows.map((row) => row.decimals)),
    ]);
  },
  getBetween: (db: Queryable, feed: string, from: number, until: number) =>
    db.query<Pick<PriceRow, 'at' | 'updatedAt' | 'value' | 'decimals'>>(between, [
      feed,
      from,
      until,
    ]),
  /** With block −1: all that came from that chain. */
  removeAbove: (tx: Queryable, feed: string, chainId: number, block: number) =>
    tx.query(removeAbove, [feed, chainId, block]),
  async findRange(
    db: Queryable,
    feed: string,
  ): Promise<{ first: number; last: number } | undefined> {
    const [row] = await db.query<{ first: number | null; last: number | null }>(range, [feed]);
    if (row?.first == null || row.last == null) return undefined;
    return { first: row.first, last: row.last };
  },
};
