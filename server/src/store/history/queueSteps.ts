import type { PlacedStep } from '../../domain/vault/queueLevels.ts';
import { type Queryable, statement } from '../store.ts';
import { HISTORY_TYPE } from './history.ts';

// Of exits only those of wallets that ever asked: all others were paid at once.
const steps = statement(
  'history.queueSteps',
  `select h.block_time as "at", h.chain_id as "chainId", h.block_number as block, h.type, h.wallet, h.assets, h.shares
   from history h
   where h.family_id = (select family_id from family where slug = $1) and h.block_time > $2
     and h.type in (${HISTORY_TYPE.withdraw}, ${HISTORY_TYPE.redeem}, ${HISTORY_TYPE.cancel})
     and h.wallet in (select r.wallet from history r
       where r.family_id = (select family_id from family where slug = $1) and r.block_time > $2
         and r.type = ${HISTORY_TYPE.redeem})
   order by h.block_time, h.chain_id, h.block_number, h.log_index`,
);

const NAMES: Readonly<Record<number, PlacedStep['type']>> = {
  [HISTORY_TYPE.withdraw]: 'withdraw',
  [HISTORY_TYPE.redeem]: 'redeem',
  [HISTORY_TYPE.cancel]: 'cancel',
};

/** What wallets that asked to redeem after an instant did in a family's queue since then, in order. */
export async function getQueueSteps(
  db: Queryable,
  slug: string,
  after: number,
): Promise<PlacedStep[]> {
  type Row = Omit<PlacedStep, 'type'> & { readonly type: number };
  const rows = await db.query<Row>(steps, [slug, after]);
  return rows.map((row) => ({ ...row, type: NAMES[row.type]! }));
}
