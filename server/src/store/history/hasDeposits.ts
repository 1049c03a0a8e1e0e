import { intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { HISTORY_TYPE } from './history.ts';

const find = statement(
  'history.withDeposits',
  `select family_id as "familyId" from unnest($1::smallint[]) as asked(family_id)
   where exists (select 1 from history h
     where h.family_id = asked.family_id and h.chain_id = $2 and h.type = $4 and h.block_number <= $3)`,
);

/** Those of the families that had a deposit on a chain, up to a block. */
export async function findWithDeposits(
  db: Queryable,
  familyIds: readonly number[],
  chainId: number,
  upTo: number,
): Promise<ReadonlySet<number>> {
  const params = [intColumn(familyIds), chainId, upTo, HISTORY_TYPE.deposit];
  const rows = await db.query<{ familyId: number }>(find, params);
  return new Set(rows.map(({ familyId }) => familyId));
}
