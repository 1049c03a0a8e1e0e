import type { Address, Hex } from '../../domain/hex.ts';
import { POOL_STATUS } from '../../domain/vault/event.ts';
import { intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** A pool as it was last declared up to a block. */
export interface PoolInForce {
  readonly chainId: number;
  readonly poolId: Hex;
  readonly offchainId: string;
  readonly venue: Address;
  readonly idleOnly: boolean;
  readonly status: number;
  readonly riskScore: number;
}

// The highest epoch of each pool, the later log among equals; what was removed is gone.
const inForce = statement(
  'pools.inForce',
  `select chain_id as "chainId", pool_id as "poolId", offchain_id as "offchainId", venue, idle_only as "idleOnly",
     status, risk_score as "riskScore"
   from (select distinct on (p.chain_id, p.pool_id) p.*
     from unnest($2::bigint[], $3::bigint[]) as asked(chain_id, block)
     join pool p on p.family_id = $1 and p.chain_id = asked.chain_id and p.block_number <= asked.block
     order by p.chain_id, p.pool_id, p.epoch desc, p.block_number desc, p.log_index desc) newest
   where status <> ${POOL_STATUS.removed}
   order by chain_id, offchain_id, pool_id`,
);

/** The family's pools on each chain as of its block. */
export function getPoolsInForce(
  db: Queryable,
  familyId: number,
  asOf: readonly { readonly chainId: number; readonly block: number }[],
): Promise<PoolInForce[]> {
  return db.query<PoolInForce>(inForce, [
    familyId,
    intColumn(asOf.map(({ chainId }) => chainId)),
    intColumn(asOf.map(({ block }) => block)),
  ]);
}
