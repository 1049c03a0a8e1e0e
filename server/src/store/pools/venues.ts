import type { Hex } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';

/** Where a pool is, by its newest declaration. */
export interface PoolVenue {
  readonly chainId: number;
  readonly offchainId: string;
  readonly venue: Hex;
}

const ofFamily = statement(
  'pools.venuesOfFamily',
  `select distinct on (chain_id, pool_id) chain_id as "chainId", offchain_id as "offchainId", venue from pool
   where family_id = (select family_id from family where slug = $1)
   order by chain_id, pool_id, block_number desc, log_index desc`,
);

export function getPoolVenues(db: Queryable, slug: string): Promise<PoolVenue[]> {
  return db.query<PoolVenue>(ofFamily, [slug]);
}
