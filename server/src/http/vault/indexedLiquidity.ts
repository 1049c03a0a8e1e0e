import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Queryable } from '../../store/store.ts';
import { loadSnapshot, poolFamilyOf, type ReadPool } from './loadSnapshot.ts';

/** What a vault held itself on a chain, and what its pools could pay, at the newest data point. */
export interface IndexedLiquidity {
  readonly at: number;
  readonly idle: bigint;
  /** Null without pools, and if one of them does not state it. */
  readonly available: bigint | null;
}

/** By chain; empty while nothing is indexed. */
export async function loadLiquidity(
  db: Queryable,
  config: Config,
  family: FamilyConfig,
): Promise<ReadonlyMap<number, IndexedLiquidity>> {
  const loaded = await loadSnapshot(db, config, family);
  if (loaded === undefined) return new Map();
  // The pools of a feeder are its master's.
  const pools = poolFamilyOf(config, family) === family ? loaded.pools : [];
  return new Map(
    loaded.chains.map(({ chainId, at, idle }) => {
      const own = pools.filter((pool) => pool.chainId === chainId);
      return [chainId, { at, idle, available: availableIn(own) }];
    }),
  );
}

/** A pool cannot pay the vault more than it has there. */
function availableIn(pools: readonly ReadPool[]): bigint | null {
  let sum = 0n;
  for (const { value, availableLiquidity } of pools) {
    if (value === 0n) continue;
    if (availableLiquidity === null) return null;
    sum += availableLiquidity < value ? availableLiquidity : value;
  }
  return pools.length === 0 ? null : sum;
}
