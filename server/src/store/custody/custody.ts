import type { Address } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const ofFamilies = statement(
  'custody.ofFamilies',
  `select family_id as "familyId", account from custody
   where family_id = any($1::smallint[]) and chain_id = $2 and block_number <= $3 order by block_number, account`,
);
const insert = statement(
  'custody.insert',
  `insert into custody (family_id, chain_id, account, block_number)
   select family_id, $1::bigint, account, min(block_number)
   from unnest($2::smallint[], $3::bytea[], $4::bigint[]) as found(family_id, account, block_number)
   group by family_id, account
   on conflict (family_id, chain_id, account) do update
     set block_number = least(custody.block_number, excluded.block_number)
     where excluded.block_number < custody.block_number`,
);
const removeAbove = statement(
  'custody.removeAbove',
  'delete from custody where chain_id = $1 and block_number > $2',
);
const removeOfSource = statement(
  'custody.removeOfSource',
  'delete from custody where family_id = $1 and chain_id = $2',
);

/** Accounts that hold shares for others, as events have shown. */
export const custody = {
  async insert(
    tx: Queryable,
    chainId: number,
    rows: readonly {
      readonly familyId: number;
      readonly place: Pick<LogPlace, 'blockNumber'>;
      readonly account: Address;
    }[],
  ) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      chainId,
      intColumn(rows.map(({ familyId }) => familyId)),
      bytesColumn(rows.map(({ account }) => account)),
      intColumn(rows.map(({ place }) => place.blockNumber)),
    ]);
  },
  getOfFamilies: (db: Queryable, familyIds: readonly number[], chainId: number, upTo: number) =>
    db.query<{ familyId: number; account: Address }>(ofFamilies, [
      intColumn(familyIds),
      chainId,
      upTo,
    ]),
  removeAbove: (tx: Queryable, chainId: number, block: number) =>
    tx.query(removeAbove, [chainId, block]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
};
