import type { QueueLevel } from '../../domain/vault/queueLevels.ts';
import { type Queryable, statement } from '../store.ts';

const levels = statement(
  'walletQueues.levels',
  `select block_time as "at", chain_id as "chainId", block_number as block, wallet, pending_redeem as pending,
     returning_shares as returning
   from wallet_queue where family_id = (select family_id from family where slug = $1) and block_time > $2
   order by block_time, chain_id, block_number, wallet`,
);

/** What wallets had waiting in a family's queue after an instant, whenever that changed. */
export function getQueueLevels(db: Queryable, slug: string, after: number): Promise<QueueLevel[]> {
  return db.query<QueueLevel>(levels, [slug, after]);
}
