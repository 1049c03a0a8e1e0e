import type { Hex } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';

/** A pool by its newest declaration, removed ones included. */
export interface KnownPool {
  readonly chainId: number;
  readonly poolId: Hex;
  readonly offchainId: string;
}

const known = statement(
  'pools.everKnown',
  `select chain_id as "chainId", pool_id as "poolId", offchain_id as "offchainId"
   from (select distinct on (chain_id, pool_id) chain_id, pool_id, offchain_id
     from pool where family_id = (select family_id from family where slug = $1)
     order by chain_id, pool_id, epoch desc, block_number desc, log_index desc) newest
   order by chain_id, offchain_id collate "C", pool_id`,
);

/** Every pool that a family ever had. */
export function getPoolsEverKnown(db: Queryable, slug: string): Promise<KnownPool[]> {
  return db.query<KnownPool>(known, [slug]);
}
