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
  `select asked.family_id as "familyId", p.price from unnest($1::smallint[]) as asked(family_id),
   lateral (select price from share_price s
     where s.family_id = asked.family_id and s.chain_id = $2 and s.block_number <= $3
     order by s.block_number desc, s.log_index desc limit 1) p`,
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
  /** The last one of each family. */
  async getLast(
    db: Queryable,
    familyIds: readonly number[],
    chainId: number,
    upTo: number,
  ): Promise<ReadonlyMap<number, bigint>> {
    const rows = await db.query<{ familyId: number; price: bigint }>(last, [
      intColumn(familyIds),
      chainId,
      upTo,
    ]);
    return new Map(rows.map(({ familyId, price }) => [familyId, price]));
  },
  /** With block −1: all of them. */
  removeAbove: (tx: Queryable, familyId: number, chainId: number, block: number) =>
    tx.query(removeAbove, [familyId, chainId, block]),
};
