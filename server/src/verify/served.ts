import type { FamilyConfig } from '../config/config.ts';

/** The response of GET /v1/vaults/{slug}, and the blocks of its pools. */
export interface Served {
  readonly stats: ServedStats;
  /** The family of these pools: itself, or a feeder's master. */
  readonly poolFamily: FamilyConfig;
  readonly poolChains: readonly {
    readonly chainId: number;
    readonly block: number;
    readonly at: number;
  }[];
}

/** Amounts are decimal strings of base units, as in the response. */
export interface ServedStats extends ServedSums {
  readonly updatedAt: string;
  readonly tvlUsd: number | null;
  readonly pendingRedemptionAssets: string;
  readonly totalShares: string;
  readonly assetsPerShare: string | null;
  readonly chains: readonly ServedChain[];
  readonly pools: readonly ServedPool[];
}

interface ServedSums {
  readonly idle: string;
  readonly invested: string;
  readonly pendingExits: string;
  readonly tvl: string;
}

export interface ServedChain extends ServedSums {
  readonly chainId: number;
  readonly block: string;
  readonly shareSupply: string;
}

export interface ServedPool {
  readonly chainId: number;
  readonly offchainId: string;
  readonly value: string;
  readonly allocationBps: number;
  readonly availableLiquidity: string | null;
}

export function amount(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

/** The response of GET /v1/users/{walletAddress}/pending-redeems for one family. */
export interface ServedPending {
  readonly redeems: readonly {
    readonly chainId: number;
    readonly shares: string;
    readonly currentAssets: string;
    readonly claimableShares?: string;
    readonly claimableAssets?: string | null;
  }[];
  readonly incompleteChains: readonly number[];
}

/** The response of GET /v1/performance/{walletAddress} for one family. */
export interface ServedWallet {
  readonly sharesBalance: string;
  readonly costBasis: string;
  readonly realized: string;
  readonly currentValue: string | null;
}
