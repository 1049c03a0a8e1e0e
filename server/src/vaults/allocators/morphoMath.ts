/** Morpho Blue's arithmetic, with its rounding: the value of a supply with interest accrued until now. */

const WAD = 10n ** 18n;
const VIRTUAL_SHARES = 10n ** 6n;
const VIRTUAL_ASSETS = 1n;

export interface MorphoMarket {
  readonly supplyAssets: bigint;
  readonly supplyShares: bigint;
  readonly borrowAssets: bigint;
  readonly lastUpdate: bigint;
  readonly fee: bigint;
}

/** Returns the market after accruing interest at a rate per second. */
export function accrued(market: MorphoMarket, rate: bigint, now: bigint): MorphoMarket {
  const seconds = now - market.lastUpdate;
  if (seconds <= 0n || market.borrowAssets === 0n || rate === 0n) return market;
  const interest = (market.borrowAssets * compounded(rate, seconds)) / WAD;
  const supplyAssets = market.supplyAssets + interest;
  const feeAmount = (interest * market.fee) / WAD;
  const feeShares = toShares(feeAmount, supplyAssets - feeAmount, market.supplyShares);
  return {
    ...market,
    supplyAssets,
    supplyShares: market.supplyShares + feeShares,
    borrowAssets: market.borrowAssets + interest,
  };
}

export function supplyWorth(shares: bigint, market: MorphoMarket): bigint {
  const { supplyAssets, supplyShares } = market;
  return (shares * (supplyAssets + VIRTUAL_ASSETS)) / (supplyShares + VIRTUAL_SHARES);
}

function toShares(assets: bigint, totalAssets: bigint, totalShares: bigint): bigint {
  return (assets * (totalShares + VIRTUAL_SHARES)) / (totalAssets + VIRTUAL_ASSETS);
}

/** The first three terms of e^(rate × seconds) − 1. */
function compounded(rate: bigint, seconds: bigint): bigint {
  const first = rate * seconds;
  const second = (first * first) / (2n * WAD);
  const third = (second * first) / (3n * WAD);
  return first + second + third;
}
