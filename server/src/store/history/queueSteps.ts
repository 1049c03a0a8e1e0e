import type { PlacedStep } from '../../domain/vault/queueLevels.ts';
import { intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { HISTORY_TYPE } from './history.ts';

/** A family's queue on one chain, between two times. */
export interface QueueSpan {
  readonly slug: string;
  readonly chainId: number;
  readonly after: number;
  readonly until: number;
}

const steps = statement(
  'history.queueSteps',
  `select h.block_time as "at", h.chain_id as "chainId", h.block_number as block, h.type, h.wallet, h.assets, h.shares
   from history h
   where h.family_id = (select family_id from family where slug = $1) and h.chain_id = $2
     and h.type = any($5::smallint[]) and h.block_time > $3 and h.block_time <= $4
   order by h.block_time, h.block_number, h.log_index`,
);

const NAMES: Readonly<Record<number, PlacedStep['type']>> = {
  [HISTORY_TYPE.withdraw]: 'withdraw',
  [HISTORY_TYPE.redeem]: 'redeem',
  [HISTORY_TYPE.cancel]: 'cancel',
};

/** Queue actions of wallets, in order; redemptions that were paid at once are among the withdrawals. */
export async function getQueueSteps(
  db: Queryable,
  { slug, chainId, after, until }: QueueSpan,
  types: readonly PlacedStep['type'][],
): Promise<PlacedStep[]> {
  type Row = Omit<PlacedStep, 'type'> & { readonly type: number };
  const wanted = intColumn(types.map((type) => HISTORY_TYPE[type]));
  const rows = await db.query<Row>(steps, [slug, chainId, after, until, wanted]);
  return rows.map((row) => ({ ...row, type: NAMES[row.type]! }));
}
