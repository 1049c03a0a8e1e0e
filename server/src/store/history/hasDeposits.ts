import { type Queryable, statement } from '../store.ts';
import { HISTORY_TYPE } from './history.ts';

const find = statement(
  'history.hasDeposits',
  `select exists(select 1 from history
     where family_id = $1 and chain_id = $2 and type = $4 and block_number <= $3) as "has"`,
);

/** Whether a family had a deposit on a chain, up to a block. */
export async function hasDeposits(
  db: Queryable,
  familyId: number,
  chainId: number,
  upTo: number,
): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(find, [
    familyId,
    chainId,
    upTo,
    HISTORY_TYPE.deposit,
  ]);
  return row!.has;
}
