import { mulDivDown, ratio } from '../amount.ts';
import { YEAR } from '../time.ts';
import { type Ratio, worthOf } from './ratio.ts';

/** A family at a time at which its share price is known. */
export interface YieldPoint {
  readonly at: number;
  readonly shares: bigint;
  readonly price: Ratio;
  readonly pools: readonly YieldPool[];
  /** Since the previous point: shares minted without a deposit, less shares burned without a payment. */
  readonly freeShares: bigint;
}

/** A pool as it was last read by then. */
export interface YieldPool {
  readonly chainId: number;
  readonly poolId: string;
  readonly offchainId: string;
  /** When its chain was read. */
  readonly at: number;
  readonly value: bigint;
  readonly sharePrice: bigint;
  readonly rewardPerYear: bigint;
}

export interface PoolYield {
  readonly chainId: number;
  readonly offchainId: string;
  readonly gain: bigint;
  readonly rewards: bigint;
}

export interface YieldBySource {
  /** What the rise of the share price added to the value of the shares. */
  readonly total: bigint;
  /** In the order in which the pools first appear. */
  readonly pools: readonly PoolYield[];
  /** Negative if fees were taken in new shares. */
  readonly shareFees: bigint;
  /** The rest of the total. */
  readonly unattributed: bigint;
  /** Average value of the shares over time. */
  readonly averageValue: bigint;
}

/**
 * Splits what holders gained between points by where it came from. Between two points, shares and holdings count with their
 * average, so that flows in between favor neither side. Every amount is rounded toward zero once per step: parts of
 * adjacent windows add up.
 */
export function yieldBySource(points: readonly YieldPoint[]): YieldBySource {
  const pools = new Map<
    string,
    { chainId: number; offchainId: string; gain: bigint; rewards: bigint }
  >();
  let [total, shareFees, value, seconds] = [0n, 0n, 0n, 0n];
  for (const [i, to] of points.entries()) {
    for (const { poolId, chainId, offchainId } of to.pools) {
      const key = `${chainId} ${poolId}`;
      if (!pools.has(key)) pools.set(key, { chainId, offchainId, gain: 0n, rewards: 0n });
    }
    const from = points[i - 1];
    if (from === undefined) continue;
    total += priceGain(from, to);
    shareFees -= worthOf(to.freeShares, to.price);
    const step = BigInt(to.at - from.at);
    value += (worthOf(from.shares, from.price) + worthOf(to.shares, to.price)) * step;
    seconds += step;
    for (const pool of to.pools) {
      const before = from.pools.find(({ chainId, poolId }) => {
        return poolId === pool.poolId && chainId === pool.chainId;
      });
      if (before === undefined) continue;
      const sum = pools.get(`${pool.chainId} ${pool.poolId}`)!;
      sum.gain += poolGain(before, pool);
      sum.rewards += rewardsBetween(before, pool);
    }
  }
  const all = [...pools.values()];
  const known = all.reduce((sum, { gain, rewards }) => sum + gain + rewards, shareFees);
  return {
    total,
    pools: all,
    shareFees,
    unattributed: total - known,
    averageValue: seconds === 0n ? 0n : value / (2n * seconds),
  };
}

/** A part as a fraction of the average value; null if nothing was held. */
export function yieldRate(part: bigint, averageValue: bigint): number | null {
  return averageValue === 0n ? null : ratio(part, averageValue);
}

/** Average shares × change of their price. */
function priceGain(from: YieldPoint, to: YieldPoint): bigint {
  const [before, after] = [from.price, to.price];
  const change = after.assets * before.shares - before.assets * after.shares;
  return mulDivDown(from.shares + to.shares, change, 2n * before.shares * after.shares);
}

/** The same with the shares that the family holds of the pool, of which only the value is known: value ÷ price. */
function poolGain(from: YieldPool, to: YieldPool): bigint {
  const [before, after] = [from.sharePrice, to.sharePrice];
  if (before === 0n || after === 0n) return 0n;
  const held = from.value * after + to.value * before;
  return mulDivDown(held, after - before, 2n * before * after);
}

function rewardsBetween(from: YieldPool, to: YieldPool): bigint {
  const rates = from.rewardPerYear + to.rewardPerYear;
  return mulDivDown(rates, BigInt(to.at - from.at), 2n * BigInt(YEAR));
}
