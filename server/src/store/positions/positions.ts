import type { Address } from '../../domain/hex.ts';
import type { Position } from '../../domain/wallet/position.ts';
import { bytesColumn, numericColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { parseShares, showShares } from './sharesOn.ts';

const ofWallets = statement(
  'positions.ofWallets',
  `select wallet, shares, shares_on as "sharesOn", cost, realized from position
   where family_id = $1 and wallet = any($2::bytea[])`,
);
const upsert = statement(
  'positions.upsert',
  `insert into position (family_id, wallet, shares, shares_on, cost, realized)
   select $1, * from unnest($2::bytea[], $3::numeric[], $4::text[], $5::numeric[], $6::numeric[])
   on conflict (family_id, wallet) do update set shares = excluded.shares, shares_on = excluded.shares_on,
     cost = excluded.cost, realized = excluded.realized`,
);
const remove = statement(
  'positions.remove',
  'delete from position where family_id = $1 and wallet = any($2::bytea[])',
);
const removeOfFamily = statement(
  'positions.removeOfFamily',
  'delete from position where family_id = $1',
);

export const positions = {
  async getOfWallets(db: Queryable, familyId: number, wallets: readonly Address[]) {
    if (wallets.length === 0) return new Map<Address, Position>();
    type Row = Omit<Position, 'sharesOn'> & { wallet: Address; sharesOn: string };
    const rows = await db.query<Row>(ofWallets, [familyId, bytesColumn(wallets)]);
    return new Map(
      rows.map(({ wallet, sharesOn, ...position }): [Address, Position] => [
        wallet,
        { ...position, sharesOn: parseShares(sharesOn) },
      ]),
    );
  },
  /** Not async, which would keep the texts of all columns in memory until they are written. */
  upsert(tx: Queryable, familyId: number, held: ReadonlyMap<Address, Position>): Promise<unknown> {
    if (held.size === 0) return Promise.resolve();
    const values = [...held.values()];
    return tx.query(upsert, [
      familyId,
      bytesColumn([...held.keys()]),
      numericColumn(values.map((position) => position.shares)),
      textColumn(values.map((position) => showShares(position.sharesOn))),
      numericColumn(values.map((position) => position.cost)),
      numericColumn(values.map((position) => position.realized)),
    ]);
  },
  remove: (tx: Queryable, familyId: number, wallets: readonly Address[]) =>
    tx.query(remove, [familyId, bytesColumn(wallets)]),
  removeOfFamily: (tx: Queryable, familyId: number) => tx.query(removeOfFamily, [familyId]),
};
