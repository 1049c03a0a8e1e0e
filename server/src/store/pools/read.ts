import type { Address, Hex } from '../../domain/hex.ts';
import { POOL_STATUS } from '../../domain/vault/event.ts';
import type { CompositionPart } from '../../domain/vault/exposure.ts';
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
  /** For a pool that no registry declares: its state when it was read. */
  readonly found: FoundText | null;
}

export interface FoundText {
  readonly name: string;
  readonly protocolName: string;
  readonly composition: readonly CompositionPart[] | null;
}

// The highest epoch of each pool, and the later log within an epoch; removed pools are excluded.
const inForce = statement(
  'pools.inForce',
  `select chain_id as "chainId", pool_id as "poolId", offchain_id as "offchainId", venue, idle_only as "idleOnly",
     status, risk_score as "riskScore", found, name, protocol_name as "protocolName", composition
   from (select distinct on (p.chain_id, p.pool_id) p.*
     from unnest($2::bigint[], $3::bigint[]) as asked(chain_id, block)
     join pool p on p.family_id = $1 and p.chain_id = asked.chain_id and p.block_number <= asked.block
     order by p.chain_id, p.pool_id, p.epoch desc, p.block_number desc, p.log_index desc) newest
   where status <> ${POOL_STATUS.removed}
   order by chain_id, offchain_id collate "C", pool_id`,
);

/** The family's pools on each chain as of its block. */
export async function getPoolsInForce(
  db: Queryable,
  familyId: number,
  asOf: readonly { readonly chainId: number; readonly block: number }[],
): Promise<PoolInForce[]> {
  const rows = await db.query<Row>(inForce, [
    familyId,
    intColumn(asOf.map(({ chainId }) => chainId)),
    intColumn(asOf.map(({ block }) => block)),
  ]);
  return rows.map(({ found, name, protocolName, composition, ...pool }) => ({
    ...pool,
    found: found
      ? {
          name: name ?? pool.offchainId,
          protocolName: protocolName ?? '',
          composition: composition === null ? null : JSON.parse(composition),
        }
      : null,
  }));
}

type Row = Omit<PoolInForce, 'found'> & {
  readonly found: boolean;
  readonly name: string | null;
  readonly protocolName: string | null;
  readonly composition: string | null;
};
