import type { Address } from '../../domain/hex.ts';
import type { Position } from '../../domain/wallet/position.ts';
import { bytesColumn, numericColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const ofWallets = statement(
  'positions.ofWallets',
  `select wallet, shares, cost, realized from position
   where family_id = $1 and wallet = any($2::bytea[])`,
);
const upsert = statement(
  'positions.upsert',
  `insert into position (family_id, wallet, shares, cost, realized)
   select $1, * from unnest($2::bytea[], $3::numeric[], $4::numeric[], $5::numeric[])
   on conflict (family_id, wallet) do update
   set shares = excluded.shares, cost = excluded.cost, realized = excluded.realized`,
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
    const rows = await db.query<Position & { wallet: Address }>(ofWallets, [
      familyId,
      bytesColumn(wallets),
    ]);
    return new Map(rows.map(({ wallet, ...position }) => [wallet, position as Position]));
  },
  async upsert(tx: Queryable, familyId: number, held: ReadonlyMap<Address, Position>) {
    if (held.size === 0) return;
    const values = [...held.values()];
    await tx.query(upsert, [
      familyId,
      bytesColumn([...held.keys()]),
      numericColumn(values.map((position) => position.shares)),
      numericColumn(values.map((position) => position.cost)),
      numericColumn(values.map((position) => position.realized)),
    ]);
  },
  remove: (tx: Queryable, familyId: number, wallets: readonly Address[]) =>
    tx.query(remove, [familyId, bytesColumn(wallets)]),
  removeOfFamily: (tx: Queryable, familyId: number) => tx.query(removeOfFamily, [familyId]),
};
