import type { Hex } from '../../domain/hex.ts';
import type { HistoryType } from '../../domain/vault/history.ts';
import { bytesColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const typesOf = statement(
  'history.typesOf',
  `select distinct h.tx_hash as transaction, (array['deposit', 'withdraw', 'redeem', 'cancel'])[h.type] as type
   from family f join history h using (family_id)
   where f.slug = $1 and h.chain_id = $2 and h.tx_hash = any($3::bytea[])`,
);

/** The types of the history items that a family has for these transactions. */
export async function getTypesOf(
  db: Queryable,
  slug: string,
  chainId: number,
  transactions: readonly Hex[],
): Promise<ReadonlyMap<Hex, ReadonlySet<HistoryType>>> {
  const found = new Map<Hex, Set<HistoryType>>();
  if (transactions.length === 0) return found;
  const rows = await db.query<{ transaction: Hex; type: HistoryType }>(typesOf, [
    slug,
    chainId,
    bytesColumn(transactions),
  ]);
  for (const { transaction, type } of rows) {
    found.set(transaction, (found.get(transaction) ?? new Set()).add(type));
  }
  return found;
}
