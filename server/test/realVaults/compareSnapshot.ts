import { walletsOf } from './holders.ts';
import { type Family, TICKS } from './scenario.ts';
import type { Served } from './serve.ts';
import * as words from './words.ts';

export interface Snapshot {
  readonly stats: {
    readonly updatedAt: string;
    readonly tvl: string;
    readonly idle: string;
    readonly invested: string;
    readonly pendingExits: string;
    readonly pendingRedemptionAssets: string;
    readonly totalShares: string;
    readonly assetsPerShare: string | null;
    readonly tvlUsd: number | null;
    readonly apy: number | null;
    readonly apy1d: number | null;
    readonly apy7d: number | null;
    readonly apy30d: number | null;
    readonly baseAssetDecimals: number;
    readonly shareDecimals: number;
    readonly chains: readonly {
      readonly chainId: number;
      readonly block: string;
      readonly idle: string;
      readonly invested: string;
      readonly pendingExits: string;
      readonly tvl: string;
      readonly shareSupply: string;
    }[];
    readonly pools: readonly {
      readonly offchainId: string;
      readonly chainId: number;
      readonly name: string;
      readonly value: string;
      readonly allocationBps: number;
      readonly availableLiquidity: string | null;
      readonly idleOnly: boolean;
    }[];
  };
  readonly exposure: {
    readonly allocatedUsd: number | null;
    readonly uncollateralizedUsd: number | null;
    readonly unclassifiedUsd?: number | null;
    readonly unclassifiedPct?: number | null;
    readonly collateral: readonly Exposure[];
    readonly underlying: readonly Exposure[];
  };
}

export interface Exposure {
  readonly chainId: number;
  readonly address: string;
  readonly symbol: string;
  readonly exposureUsd: number | null;
  readonly exposurePct: number;
}

export const seconds = (iso: string) => Date.parse(iso) / 1000;

/** Compares the snapshot with the contracts at the blocks that it names. */
export async function compareSnapshot(served: Served, family: Family): Promise<string[]> {
  const { stats } = await served.get<Snapshot>(`/v1/vaults/${family.slug}`);
  const found: string[] = [];
  const wallets = await walletsOf(family);
  const sums = { tvl: 0n, idle: 0n, shares: 0n, pending: 0n, slack: 0n };
  const at = seconds(stats.updatedAt);
  const known = Math.min(...family.places.map(({ chain }) => chain.tip.time)) - 1;
  const newest = Math.floor(known / TICKS.liveSeconds) * TICKS.liveSeconds;
  if (at !== newest) found.push(`snapshot: of ${at}, the newest instant is ${newest}`);
  for (const place of family.places) {
    const { chain } = place;
    const row = stats.chains.find(({ chainId }) => chainId === chain.chainId);
    const block = chain.blockAt(at);
    if (row === undefined) {
      found.push(`snapshot: no row of chain ${chain.chainId}`);
      continue;
    }
    const tvl = await words.totalAssets(place, block);
    const { idle, slack } = await words.idleAt(family, place, wallets, block);
    const shares = await words.totalSupply(place, block);
    const name = `snapshot, chain ${chain.chainId} at block ${block}`;
    note(`${name}: block`, row.block, BigInt(block));
    note(`${name}: tvl`, row.tvl, tvl);
    note(`${name}: idle`, row.idle, idle, slack);
    note(`${name}: invested`, row.invested, tvl - idle, slack);
    note(`${name}: pendingExits`, row.pendingExits, 0n);
    note(`${name}: shareSupply`, row.shareSupply, shares);
    sums.tvl += tvl;
    sums.idle += idle;
    sums.slack += slack;
    sums.shares += shares;
    sums.pending += await words.pendingAssetsAt(family, place, wallets, block);
  }
  const first = family.places.find(({ role }) => role !== 'execution')!;
  const block = first.chain.blockAt(at);
  const decimals = await words.decimalsOf(first, first.share, block);
  const price = await words.convertToAssets(first, 10n ** BigInt(decimals), block);
  note('snapshot: tvl', stats.tvl, sums.tvl);
  note('snapshot: idle', stats.idle, sums.idle, sums.slack);
  note('snapshot: invested', stats.invested, sums.tvl - sums.idle, sums.slack);
  note('snapshot: pendingRedemptionAssets', stats.pendingRedemptionAssets, sums.pending);
  note('snapshot: totalShares', stats.totalShares, sums.shares);
  note('snapshot: assetsPerShare', stats.assetsPerShare, price);
  note('snapshot: shareDecimals', String(stats.shareDecimals), BigInt(decimals));
  const assetDecimals = await words.decimalsOf(first, first.asset, block);
  note('snapshot: baseAssetDecimals', String(stats.baseAssetDecimals), BigInt(assetDecimals));
  const bps = stats.pools.reduce((sum, pool) => sum + BigInt(pool.value), 0n);
  if (bps > sums.tvl - sums.idle) {
    found.push(`snapshot: pools hold ${bps}, more than is invested, ${sums.tvl - sums.idle}`);
  }
  return found;

  function note(what: string, got: string | null, expected: bigint | null, slack = 0n): void {
    const off = difference(got, expected, slack);
    if (off !== undefined) found.push(`${what} is ${got}, the contract says ${expected}${off}`);
  }
}

/** Returns the difference of two amounts as text; undefined if it is within the slack. */
export function difference(
  got: string | null | undefined,
  expected: bigint | null,
  slack = 0n,
): string | undefined {
  if (got == null || expected === null) return got == null && expected === null ? undefined : '';
  const off = BigInt(got) - expected;
  return off > slack || -off > slack ? ` (${off} off)` : undefined;
}
