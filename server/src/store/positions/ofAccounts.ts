import type { Address } from '../../domain/hex.ts';
import { bytesColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const ofAccounts = statement(
  'positions.ofAccounts',
  `select p.wallet, p.shares from family f join position p using (family_id)
   where f.slug = $1 and p.wallet = any($2::bytea[])`,
);

/** The stored shares of these addresses in a family, where they have a position. */
export async function getPositionsOf(
  db: Queryable,
  slug: string,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, bigint>> {
  const rows = await db.query<{ wallet: Address; shares: bigint }>(ofAccounts, [
    slug,
    bytesColumn(addresses),
  ]);
  return new Map(rows.map(({ wallet, shares }) => [wallet, shares]));
}
