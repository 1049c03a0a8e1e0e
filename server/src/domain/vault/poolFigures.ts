import { mulDivDown, ratio } from '../amount.ts';
import { apyBetween, type PricePoint } from '../series/apy.ts';
import { apportion } from './apportion.ts';

/** A pool's share price now and at the start of each window; the first known one where the pool is younger. */
export interface PoolPrices {
  readonly now: PricePoint;
  readonly day: PricePoint;
  readonly week: PricePoint;
  readonly month: PricePoint;
}

export interface PoolRates {
  readonly apy1d: number | null;
  readonly apy7d: number | null;
  readonly apy30d: number | null;
  readonly mechanismApy: number | null;
}

const RATE_UNIT = 10n ** 18n;

/** Rates as fractions; null where there is no span to measure yet. */
export function poolRates(prices: PoolPrices, statedRate: bigint | null): PoolRates {
  const since = (from: PricePoint) => apyBetween(from, prices.now);
  const apy7d = since(prices.week);
  return {
    apy1d: since(prices.day),
    apy7d,
    apy30d: since(prices.month),
    mechanismApy: statedRate === null ? apy7d : ratio(statedRate, RATE_UNIT),
  };
}

/** Basis points of `tvl` for each value; with what is in no pool they add up to 10000. */
export function allocationBps(values: readonly bigint[], tvl: bigint): number[] {
  const pooled = values.reduce((sum, value) => sum + value, 0n);
  const outside = tvl > pooled ? tvl - pooled : 0n;
  return apportion(10_000n, [...values, outside])
    .slice(0, -1)
    .map(Number);
}

export interface Holding {
  readonly value: bigint;
  readonly availableLiquidity: bigint | null;
}

/**
 * A feeder's part of its master's pools: with what the master has in no pool they add up to what the feeder has
 * invested, and what could be taken out is cut in the same proportion, rounded down so that it is never promised
 * twice.
 */
export function scaleToStake<H extends Holding>(
  holdings: readonly H[],
  invested: bigint,
  masterInvested: bigint,
): H[] {
  const pooled = holdings.reduce((sum, { value }) => sum + value, 0n);
  const whole = masterInvested > pooled ? masterInvested : pooled;
  const values = apportion(invested, [...holdings.map(({ value }) => value), whole - pooled]);
  return holdings.map((holding, i) => ({
    ...holding,
    value: values[i]!,
    availableLiquidity:
      holding.availableLiquidity === null || whole === 0n
        ? null
        : mulDivDown(holding.availableLiquidity, invested, whole),
  }));
}

/** What a family holds and what it is streamed, of one instant. */
export interface Streamed {
  readonly tvl: bigint;
  readonly invested: bigint;
  readonly rewardApr: number;
}

/**
 * A feeder's rewards over its own TVL: venues stream them to its master, and the feeder's stake has its part of them
 * as it has of the pools. 0 while the master has nothing in pools or the feeder holds nothing.
 */
export function feederRewardApr(
  feeder: Pick<Streamed, 'tvl' | 'invested'>,
  master: Streamed,
): number {
  if (master.invested === 0n || feeder.tvl === 0n) return 0;
  return master.rewardApr * ratio(master.tvl * feeder.invested, master.invested * feeder.tvl);
}
