import { type Decimal, worth } from '../amount.ts';
import { type Ratio, worthTogether } from '../vault/ratio.ts';
import type { Position } from './position.ts';

/** What a wallet's stake in a family cost, brought and is worth, in base units of the base asset. */
export interface Performance {
  /** In base units of the share. */
  readonly sharesBalance: bigint;
  readonly costBasis: bigint;
  readonly realized: bigint;
  /** Null while no share price is known. */
  readonly currentValue: bigint | null;
  readonly unrealized: bigint | null;
}

export interface PerformanceUsd {
  readonly currentValueUsd: number;
  readonly unrealizedUsd: number;
  readonly realizedUsd: number;
}

export interface PerformanceTotals extends PerformanceUsd {
  readonly unpricedFamilies: string[];
}

/** `ratioOn`: what shares are worth on a chain now. Rounded down once, over all chains together. */
export function performanceOf(
  position: Position,
  ratioOn: (chainId: number) => Ratio | null,
): Performance {
  // Below zero only when shares came in before the first block that is read: then at least none is left.
  const held = (shares: bigint) => (shares < 0n ? 0n : shares);
  const parts = [...position.sharesOn].map(([chainId, shares]) => ({
    shares: held(shares),
    ratio: ratioOn(chainId),
  }));
  const currentValue = worthTogether(parts);
  return {
    sharesBalance: held(position.shares),
    costBasis: position.cost,
    realized: position.realized,
    currentValue,
    unrealized: currentValue === null ? null : currentValue - position.cost,
  };
}

/** All figures at one price; null without one, or while the value itself is unknown. */
export function performanceInUsd(
  performance: Performance,
  assetDecimals: number,
  price: Decimal | null,
): PerformanceUsd | null {
  const { currentValue, unrealized, realized } = performance;
  if (price === null || currentValue === null || unrealized === null) return null;
  return {
    currentValueUsd: worth(currentValue, assetDecimals, price),
    unrealizedUsd: worth(unrealized, assetDecimals, price),
    realizedUsd: worth(realized, assetDecimals, price),
  };
}

/** Over the families that have USD figures; the others are named. */
export function performanceTotals(
  families: readonly { readonly family: string; readonly usd: PerformanceUsd | null }[],
): PerformanceTotals {
  const priced = families.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  const sum = (pick: (usd: PerformanceUsd) => number) =>
    priced.reduce((total, usd) => total + pick(usd), 0);
  return {
    currentValueUsd: sum((usd) => usd.currentValueUsd),
    unrealizedUsd: sum((usd) => usd.unrealizedUsd),
    realizedUsd: sum((usd) => usd.realizedUsd),
    unpricedFamilies: families.filter(({ usd }) => usd === null).map(({ family }) => family),
  };
}
