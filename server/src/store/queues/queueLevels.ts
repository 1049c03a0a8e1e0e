import type { QueueLevel } from '../../domain/vault/queueLevels.ts';
import type { QueueSpan } from '../history/queueSteps.ts';
import { type Queryable, statement } from '../store.ts';

const levels = statement(
  'walletQueues.levels',
  `select block_time as "at", chain_id as "chainId", block_number as block, wallet, pending_redeem as pending,
     returning_shares as returning
   from wallet_queue where family_id = (select family_id from family where slug = $1) and chain_id = $2
     and block_time > $3 and block_time <= $4
   order by block_time, block_number, wallet`,
);

/** The shares that wallets had pending in a queue, at each change, in order. */
export function getQueueLevels(
  db: Queryable,
  { slug, chainId, after, until }: QueueSpan,
): Promise<QueueLevel[]> {
  return db.query<QueueLevel>(levels, [slug, chainId, after, until]);
}
