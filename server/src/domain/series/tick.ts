import { type Decimal, ratio, worth } from '../amount.ts';
import { DAY } from '../time.ts';
import type { Ratio } from '../vault/ratio.ts';
import { apyBetween, type PricePoint } from './apy.ts';

/** A family's state on one chain at an instant. */
export interface ChainTick {
  readonly chainId: number;
  readonly idle: bigint;
  readonly invested: bigint;
  readonly pendingExits: bigint;
  readonly pendingRedemptionAssets: bigint;
  readonly shareSupply: bigint;
  /** Base units for one whole share. */
  readonly sharePrice: bigint | null;
  /** The same with all the digits that the vault has. */
  readonly ratio: Ratio | null;
  readonly rewardPerYear: bigint;
}

export interface Tick {
  readonly at: number;
  readonly tvl: bigint;
  readonly idle: bigint;
  readonly invested: bigint;
  readonly pendingExits: bigint;
  readonly pendingRedemptionAssets: bigint;
  readonly totalShares: bigint;
  readonly assetsPerShare: bigint | null;
  /** The same with all its digits. */
  readonly ratio: Ratio | null;
  readonly usd: number | null;
  readonly apy1d: number | null;
  readonly apy7d: number | null;
  readonly apy30d: number | null;
  readonly rewardApr: number;
}

export interface TickInput {
  readonly at: number;
  readonly chains: readonly ChainTick[];
  /** The chain whose share price is the family's: its first settlement chain. */
  readonly priceChainId: number;
  readonly assetDecimals: number;
  /** The base asset's USD price held at this instant. */
  readonly usdPrice: Decimal | null;
  /** The family's share price at or before an instant, or its first one when that is younger. */
  readonly priceAt: (instant: number) => PricePoint | undefined;
}

/** The family over all its chains at one instant. */
export function familyTick(input: TickInput): Tick {
  const sum = (pick: (chain: ChainTick) => bigint) =>
    input.chains.reduce((total, chain) => total + pick(chain), 0n);
  const idle = sum((chain) => chain.idle);
  const invested = sum((chain) => chain.invested);
  const pendingExits = sum((chain) => chain.pendingExits);
  const tvl = idle + invested + pendingExits;
  const priced = input.chains.find((chain) => chain.chainId === input.priceChainId);
  const shareRatio = priced?.ratio ?? null;
  const apyOver = (days: number) => {
    if (shareRatio === null) return null;
    const from = input.priceAt(input.at - days * DAY);
    return from === undefined ? null : apyBetween(from, { at: input.at, ...shareRatio });
  };
  return {
    at: input.at,
    tvl,
    idle,
    invested,
    pendingExits,
    pendingRedemptionAssets: sum((chain) => chain.pendingRedemptionAssets),
    totalShares: sum((chain) => chain.shareSupply),
    assetsPerShare: priced?.sharePrice ?? null,
    ratio: shareRatio,
    usd: input.usdPrice === null ? null : worth(tvl, input.assetDecimals, input.usdPrice),
    apy1d: apyOver(1),
    apy7d: apyOver(7),
    apy30d: apyOver(30),
    rewardApr:
      tvl === 0n
        ? 0
        : ratio(
            sum((chain) => chain.rewardPerYear),
            tvl,
          ),
  };
}
