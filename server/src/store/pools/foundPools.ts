import type { Hex } from '../../domain/hex.ts';
import { POOL_STATUS } from '../../domain/vault/event.ts';
import type { FoundPool } from '../../domain/vault/state.ts';
import { boolColumn, bytesColumn, intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** The pools that were read from the contracts at one block. */
export interface FoundAt {
  readonly at: number;
  readonly block: number;
  readonly pools: readonly FoundPool[];
}

type PoolFields = Pick<
  FoundPool,
  'offchainId' | 'venue' | 'idleOnly' | 'status' | 'name' | 'protocolName'
> & {
  readonly poolId: Hex;
  readonly composition: string | null;
};

// The newest row of a pool is in force, as with those that a registry declares, because all epochs are equal.
const newestBefore = statement(
  'foundPools.newestBefore',
  `select distinct on (pool_id) pool_id as "poolId", offchain_id as "offchainId", venue, idle_only as "idleOnly", status,
     name, protocol_name as "protocolName", composition
   from pool where family_id = $1 and chain_id = $2 and found and block_number < $3
   order by pool_id, block_number desc, log_index desc`,
);
// Reads within a gap are stored late, so rows that the next read stored as changes may repeat them.
const removeRepeated = statement(
  'foundPools.removeRepeated',
  `delete from pool p using (
     select block_number, log_index, row(offchain_id, venue, idle_only, status, name, protocol_name, composition)
       is not distinct from lag(row(offchain_id, venue, idle_only, status, name, protocol_name, composition))
       over (partition by pool_id order by block_number, log_index) as repeats
     from pool where family_id = $1 and chain_id = $2 and found
   ) r
   where p.family_id = $1 and p.chain_id = $2 and p.found and p.block_number > $3
     and p.block_number = r.block_number and p.log_index = r.log_index and r.repeats`,
);
const insert = statement(
  'foundPools.insert',
  `insert into pool (family_id, chain_id, found, venue_kind, risk_score, epoch, block_number, log_index, block_time,
     pool_id, offchain_id, venue, idle_only, status, name, protocol_name, composition)
   select $1, $2, true, 1, 0, 0, * from unnest($3::bigint[], $4::int[], $5::bigint[], $6::bytea[], $7::text[],
     $8::bytea[], $9::boolean[], $10::smallint[], $11::text[], $12::text[], $13::text[])
   on conflict (family_id, chain_id, block_number, log_index) do nothing`,
);

/** No log has this index: these rows belong to a block, not to an event. */
const FIRST_LOG = 1_000_000_000;

/** Stores the changes from one read to the next: a new pool, a removed one, another name. */
export async function storeFoundPools(
  tx: Queryable,
  familyId: number,
  chainId: number,
  reads: readonly FoundAt[],
): Promise<void> {
  if (reads.length === 0) return;
  const current = new Map<string, PoolFields>();
  const first = Math.min(...reads.map(({ block }) => block));
  for (const row of await tx.query<PoolFields>(newestBefore, [familyId, chainId, first])) {
    current.set(row.poolId, row);
  }
  const rows: { readonly read: FoundAt; readonly pool: PoolFields; readonly logIndex: number }[] =
    [];
  for (const read of reads) {
    const now = new Map(read.pools.map((pool) => [pool.poolId as string, getPoolFields(pool)]));
    for (const [poolId, pool] of current) {
      if (!now.has(poolId)) now.set(poolId, { ...pool, status: POOL_STATUS.removed });
    }
    let logIndex = FIRST_LOG;
    for (const [poolId, pool] of now) {
      if (same(current.get(poolId), pool)) continue;
      current.set(poolId, pool);
      rows.push({ read, pool, logIndex: logIndex++ });
    }
  }
  if (rows.length === 0) return;
  await tx.query(insert, [
    familyId,
    chainId,
    intColumn(rows.map(({ read }) => read.block)),
    intColumn(rows.map(({ logIndex }) => logIndex)),
    intColumn(rows.map(({ read }) => read.at)),
    bytesColumn(rows.map(({ pool }) => pool.poolId)),
    textColumn(rows.map(({ pool }) => pool.offchainId)),
    bytesColumn(rows.map(({ pool }) => pool.venue)),
    boolColumn(rows.map(({ pool }) => pool.idleOnly)),
    intColumn(rows.map(({ pool }) => pool.status)),
    textColumn(rows.map(({ pool }) => pool.name)),
    textColumn(rows.map(({ pool }) => pool.protocolName)),
    textColumn(rows.map(({ pool }) => pool.composition)),
  ]);
}

/** Call it after reads within a gap that ends at `block`. */
export async function removeRepeatedPools(
  tx: Queryable,
  familyId: number,
  chainId: number,
  block: number,
): Promise<void> {
  await tx.query(removeRepeated, [familyId, chainId, block]);
}

function getPoolFields(pool: FoundPool): PoolFields {
  const { poolId, offchainId, venue, idleOnly, status, name, protocolName, composition } = pool;
  const shown = composition === null ? null : JSON.stringify(composition);
  return { poolId, offchainId, venue, idleOnly, status, name, protocolName, composition: shown };
}

function same(a: PoolFields | undefined, b: PoolFields): boolean {
  if (a === undefined) return b.status === POOL_STATUS.removed;
  return (Object.keys(b) as (keyof PoolFields)[]).every((key) => a[key] === b[key]);
}
