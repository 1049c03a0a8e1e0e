import type { LogPlace } from '../../domain/order.ts';
import { intColumn, numericColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const insert = statement(
  'sharePrices.insert',
  `insert into share_price (family_id, chain_id, block_number, log_index, block_time, price)
   select $1, $2, * from unnest($3::bigint[], $4::int[], $5::bigint[], $6::numeric[])`,
);
const last = statement(
  'sharePrices.last',
  `select price from share_price where family_id = $1 and chain_id = $2 and block_number <= $3
   order by block_number desc, log_index desc limit 1`,
);
const removeAbove = statement(
  'sharePrices.removeAbove',
  'delete from share_price where family_id = $1 and chain_id = $2 and block_number > $3',
);

export const sharePrices = {
  async insert(
    tx: Queryable,
    familyId: number,
    chainId: number,
    rows: readonly { place: LogPlace; price: bigint }[],
  ) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      familyId,
      chainId,
      intColumn(rows.map((row) => row.place.blockNumber)),
      intColumn(rows.map((row) => row.place.logIndex)),
      intColumn(rows.map((row) => row.place.blockTime)),
      numericColumn(rows.map((row) => row.price)),
    ]);
  },
  async findLast(
    db: Queryable,
    familyId: number,
    chainId: number,
    upTo: number,
  ): Promise<bigint | undefined> {
    const rows = await db.query<{ price: bigint }>(last, [familyId, chainId, upTo]);
    return rows[0]?.price;
  },
  /** With block −1: all of them. */
  removeAbove: (tx: Queryable, familyId: number, chainId: number, block: number) =>
    tx.query(removeAbove, [familyId, chainId, block]),
};
