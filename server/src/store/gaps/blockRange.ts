import type { Address } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';

/** Blocks of a chain, with the times of the first and the last. */
export interface BlockRange {
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly fromTime: number;
  readonly toTime: number;
}

const BLOCKS = 'family_id = $1 and chain_id = $2 and block_number between $3 and $4';
const TIMES = 'block_time between $5 and $6';

const inBlocks = [
  'history_vault',
  'share_price',
  'pool',
  'custody',
  'wallet_queue',
  'deposit_request',
  'redeem_request',
  'governance',
  'notice',
  'flow_fit',
  'free_mint',
].map((table) => statement(`stretch.remove.${table}`, `delete from ${table} where ${BLOCKS}`));
// A time belongs to the range that contains it, even if its newest block is the last one before the range.
const atInstants = ['chain_tick', 'pool_tick'].map((table) =>
  statement(
    `stretch.remove.${table}`,
    `delete from ${table} where family_id = $1 and chain_id = $2 and at >= $3 and at < $4`,
  ),
);
const history = statement(
  'stretch.remove.history',
  `delete from history where ${BLOCKS} and ${TIMES}`,
);
const movements = statement(
  'stretch.remove.movement',
  `delete from movement where ${BLOCKS} and ${TIMES} returning wallet`,
);

/** Removes the rows of a family in a range so that it can be read again; returns the wallets with movements in it. */
export async function removeBlockRange(
  tx: Queryable,
  familyId: number,
  chainId: number,
  range: BlockRange,
): Promise<Address[]> {
  const blocks = [familyId, chainId, range.fromBlock, range.toBlock];
  const times = [range.fromTime, range.toTime];
  for (const remove of inBlocks) await tx.query(remove, blocks);
  for (const remove of atInstants) await tx.query(remove, [familyId, chainId, ...times]);
  await tx.query(history, [...blocks, ...times]);
  const moved = await tx.query<{ wallet: Address }>(movements, [...blocks, ...times]);
  return [...new Set(moved.map(({ wallet }) => wallet))];
}
