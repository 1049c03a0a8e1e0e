import type { FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { getLiquidityBlocks } from '../store/pools/liquidityBlocks.ts';
import { getSampledPositions } from '../store/positions/sampled.ts';
import type { Queryable } from '../store/store.ts';

/** Stored positions, all from one snapshot. */
export interface StoredPositions {
  /** They include every movement up to here. */
  readonly until: number;
  /** Their chains, and how far each was read. */
  readonly sources: readonly { readonly chainId: number; readonly indexedBlock: number }[];
  readonly sampled: ReadonlyMap<Address, { readonly shares: bigint }>;
  /** The sum of all other wallets with shares. */
  readonly others: { readonly shares: bigint };
}

/** `count` wallets sampled by the seed, and the largest; undefined while the store does not know the family. */
export async function readPositions(
  db: Queryable,
  family: FamilyConfig,
  seed: string,
  count: number,
): Promise<StoredPositions | undefined> {
  const rows = await getSampledPositions(db, family.slug, seed, count);
  const others = rows.find(({ kind }) => kind === 'others');
  if (others === undefined) return undefined;
  return {
    until: others.until,
    sources: rows
      .filter(({ kind }) => kind === 'source')
      .map((row) => ({ chainId: row.chainId!, indexedBlock: row.number! })),
    sampled: new Map(rows.flatMap((row) => (row.wallet === null ? [] : [[row.wallet, row]]))),
    others,
  };
}

/** The block at which each pool's served liquidity was read. */
export async function readLiquidityBlocks(
  db: Queryable,
  slug: string,
  asOf: readonly { readonly chainId: number; readonly at: number }[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await getLiquidityBlocks(db, slug, asOf);
  return new Map(rows.map(({ chainId, poolId, block }) => [`${chainId} ${poolId}`, block]));
}
