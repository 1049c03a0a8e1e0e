import { intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** Why a range could not be read: no URL had the contract state, or no URL had the logs. */
export type GapReason = 'state' | 'logs';

/** A range of blocks that could not be completely read for a family. */
export interface Gap {
  readonly familyId: number;
  readonly chainId: number;
  readonly reason: GapReason;
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Time of the block before the first, in Unix seconds. */
  readonly fromTime: number;
  /** Time of the last block. */
  readonly toTime: number;
  /** When it was found. */
  readonly foundAt: number;
  /** Whether it was found while its source was catching up, as in its first backfill. */
  readonly initial: boolean;
}

const COLUMNS = `family_id as "familyId", chain_id as "chainId", reason, from_block as "fromBlock", to_block as "toBlock",
  from_time as "fromTime", to_time as "toTime", found_at as "foundAt", initial`;

// An adjacent range extends a gap, so a pruned RPC endpoint causes one row, not one per step. Gaps of the first backfill
// and later ones stay apart.
const add = statement(
  'gaps.add',
  `with grown as (
     update gap set to_block = greatest(to_block, $5), to_time = greatest(to_time, $7)
     where family_id = $1 and chain_id = $2 and reason = $3 and from_block <= $4
       and (to_block >= $4 or (to_block = $4::bigint - 1 and initial = $9))
     returning 1
   )
   insert into gap (family_id, chain_id, reason, from_block, to_block, from_time, to_time, found_at, initial)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9 where not exists (select from grown)`,
);
const all = statement(
  'gaps.all',
  `select ${COLUMNS} from gap order by chain_id, family_id, from_block`,
);
const ofChain = statement(
  'gaps.ofChain',
  `select ${COLUMNS} from gap where chain_id = $1 order by from_block, family_id`,
);
const touches = statement(
  'gaps.touches',
  `select exists (select 1 from gap where family_id = $1 and from_time < $3 and to_time >= $2) as "touches"`,
);
// Filled blocks are removed from the front of the gap.
const fillTo = statement(
  'gaps.fillTo',
  `update gap set from_block = $5::bigint + 1, from_time = $6
   where family_id = $1 and chain_id = $2 and reason = $3 and from_block = $4 and to_block > $5`,
);
// The logs were read after all; blocks of the gap that still fail are recorded again.
const readLogs = statement(
  'gaps.readLogs',
  `delete from gap where chain_id = $1 and family_id = any($2::smallint[]) and reason = 'logs' and from_block <= $3`,
);
const remove = statement(
  'gaps.remove',
  'delete from gap where family_id = $1 and chain_id = $2 and reason = $3 and from_block = $4',
);
const removeAbove = statement(
  'gaps.removeAbove',
  'delete from gap where chain_id = $1 and from_block > $2',
);
const shortenTo = statement(
  'gaps.shortenTo',
  'update gap set to_block = $2, to_time = $3 where chain_id = $1 and to_block > $2',
);
const removeOfSource = statement(
  'gaps.removeOfSource',
  'delete from gap where family_id = $1 and chain_id = $2',
);

export const gaps = {
  add: (tx: Queryable, gap: Gap) =>
    tx.query(add, [
      gap.familyId,
      gap.chainId,
      gap.reason,
      gap.fromBlock,
      gap.toBlock,
      gap.fromTime,
      gap.toTime,
      gap.foundAt,
      gap.initial,
    ]),
  getAll: (db: Queryable) => db.query<Gap>(all),
  getOfChain: (db: Queryable, chainId: number) => db.query<Gap>(ofChain, [chainId]),
  /** Whether a family has a gap in [from, to), on any chain. */
  async touches(db: Queryable, familyId: number, from: number, to: number): Promise<boolean> {
    const [row] = await db.query<{ touches: boolean }>(touches, [familyId, from, to]);
    return row!.touches;
  },
  /** Records that the gap was filled from its first block up to `to`. */
  async fill(tx: Queryable, gap: Gap, to: { readonly number: number; readonly time: number }) {
    const key = [gap.familyId, gap.chainId, gap.reason, gap.fromBlock];
    if (to.number >= gap.toBlock) await tx.query(remove, key);
    else await tx.query(fillTo, [...key, to.number, to.time]);
  },
  /** Records that the logs of these families were read up to a block, so nothing waits for them. */
  readLogs: (tx: Queryable, chainId: number, familyIds: readonly number[], to: number) =>
    tx.query(readLogs, [chainId, intColumn(familyIds), to]),
  /** Removes gaps above `to` after a reorg: reading the new blocks records new gaps. */
  async removeAbove(
    tx: Queryable,
    chainId: number,
    to: { readonly number: number; readonly time: number },
  ) {
    await tx.query(removeAbove, [chainId, to.number]);
    await tx.query(shortenTo, [chainId, to.number, to.time]);
  },
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
};
