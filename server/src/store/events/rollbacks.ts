import { EVENT_TYPE } from '../../domain/events/eventTypes.ts';
import { type Queryable, statement } from '../store.ts';

/** Rows of a family that were removed because a reorg replaced their blocks. */
export interface Rollback {
  readonly chainId: number;
  /** The first removed row. */
  readonly blockNumber: number;
  readonly blockTime: number;
  readonly rows: number;
}

const ofFamily = statement(
  'rollbacks.ofFamily',
  `select r.chain_id as "chainId", min(r.block_number) as "blockNumber", min(r.block_time) as "blockTime",
     count(*) as rows
   from family f join event_retracted r on r.family_id = f.family_id
   where f.slug = $1 and r.block_time >= $2 and r.type in (${EVENT_TYPE.history}, ${EVENT_TYPE['share-price']}, ${EVENT_TYPE.pool})
   group by r.retracted_seq, r.chain_id order by 3 desc limit $3`,
);

/** The newest rollbacks from a time on, as long as the event feed stores them. */
export function getRollbacks(
  db: Queryable,
  slug: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<Rollback[]> {
  return db.query<Rollback>(ofFamily, [slug, from, limit]);
}
