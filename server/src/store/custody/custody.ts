import type { Address } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const insert = statement(
  'custody.insert',
  `insert into custody (family_id, chain_id, account, block_number)
   select $1, $2, account, min(block_number) from unnest($3::bytea[], $4::bigint[]) as found(account, block_number)
   group by account
   on conflict (family_id, chain_id, account) do update
     set block_number = least(custody.block_number, excluded.block_number)
     where excluded.block_number < custody.block_number`,
);
const ofSource = statement(
  'custody.ofSource',
  `select account from custody where family_id = $1 and chain_id = $2 and block_number <= $3
   order by block_number, account`,
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
    familyId: number,
    chainId: number,
    rows: readonly {
      readonly place: Pick<LogPlace, 'blockNumber'>;
      readonly account: Address;
    }[],
  ) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      familyId,
      chainId,
      bytesColumn(rows.map(({ account }) => account)),
      intColumn(rows.map(({ place }) => place.blockNumber)),
    ]);
  },
  async getOfSource(
    db: Queryable,
    familyId: number,
    chainId: number,
    upTo: number,
  ): Promise<Address[]> {
    const rows = await db.query<{ account: Address }>(ofSource, [familyId, chainId, upTo]);
    return rows.map(({ account }) => account);
  },
  removeAbove: (tx: Queryable, chainId: number, block: number) =>
    tx.query(removeAbove, [chainId, block]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
};
