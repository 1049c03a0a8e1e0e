import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY } from '../time.ts';
import { allocationBps, feederRewardApr, poolRates, scaleToStake } from './poolFigures.ts';

const AT = 1_800_000_000;

function grownBy(fraction: number, days: number) {
  const assets = BigInt(Math.round(1e15 / (1 + fraction))) * 1000n;
  return { at: AT - days * DAY, assets, shares: 10n ** 18n };
}

describe('poolRates', () => {
  const prices = {
    now: { at: AT, assets: 10n ** 18n, shares: 10n ** 18n },
    day: grownBy(0.0001, 1),
    week: grownBy(0.001, 7),
    month: grownBy(0.005, 30),
  };

  test('default', () => {
    const rates = poolRates(prices, 52_000_000_000_000_000n);
    expect(rates.apy1d).toBeCloseTo(1.0001 ** 365 - 1, 9);
    expect(rates.apy7d).toBeCloseTo(1.001 ** (365 / 7) - 1, 9);
    expect(rates.apy30d).toBeCloseTo(1.005 ** (365 / 30) - 1, 9);
    expect(rates.mechanismApy).toBe(0.052);
  });

  test('behavior: a venue that states no rate', () => {
    const rates = poolRates(prices, null);
    expect(rates.mechanismApy).toBe(rates.apy7d);
    expect(poolRates(prices, 0n).mechanismApy).toBe(0);
  });

  test('behavior: a pool read for the first time', () => {
    const { now } = prices;
    const rates = poolRates({ now, day: now, week: now, month: now }, null);
    // Missing data is null, not zero.
    expect(rates).toEqual({ apy1d: null, apy7d: null, apy30d: null, mechanismApy: null });
  });
});

describe('allocationBps', () => {
  test('default', () => {
    expect(allocationBps([50n, 25n], 100n)).toEqual([5000, 2500]);
  });

  test('behavior: an empty family', () => {
    expect(allocationBps([0n, 0n], 0n)).toEqual([0, 0]);
  });

  test('behavior: adds up to 10000 together with assets in no pool', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 24n });
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 12 }), amount, (values, outside) => {
        const pooled = values.reduce((sum, value) => sum + value, 0n);
        fc.pre(pooled + outside > 0n);
        const bps = allocationBps(values, pooled + outside);
        const rest = Number((10_000n * outside * 1_000_000n) / (pooled + outside)) / 1e6;
        const total = bps.reduce((sum, one) => sum + one, 0);
        expect(Math.abs(10_000 - total - rest)).toBeLessThan(1);
      }),
    );
  });
});

describe('scaleToStake', () => {
  test('default', () => {
    const master = [
      { value: 600n, availableLiquidity: 301n, name: 'a' },
      { value: 400n, availableLiquidity: null, name: 'b' },
    ];
    expect(scaleToStake(master, 100n, 1_000n)).toEqual([
      { value: 60n, availableLiquidity: 30n, name: 'a' },
      { value: 40n, availableLiquidity: null, name: 'b' },
    ]);
  });

  test('behavior: assets that the master has in no pool are in no pool of its feeder', () => {
    const pools = [{ value: 600n, availableLiquidity: 300n }];
    expect(scaleToStake(pools, 100n, 1_000n)).toEqual([{ value: 60n, availableLiquidity: 30n }]);
    // Rows of two timestamps can be inconsistent.
    expect(scaleToStake(pools, 100n, 500n)).toEqual([{ value: 100n, availableLiquidity: 50n }]);
  });

  test('behavior: adds up to the stake exactly, and no pool has more liquidity than value', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 24n });
    const holding = fc.tuple(amount, amount).map(([value, part]) => ({
      value,
      availableLiquidity: value === 0n ? 0n : part % value,
    }));
    fc.assert(
      fc.property(fc.array(holding, { maxLength: 12 }), amount, (holdings, invested) => {
        const whole = holdings.reduce((sum, { value }) => sum + value, 0n);
        fc.pre(whole > 0n);
        const scaled = scaleToStake(holdings, invested, whole);
        expect(scaled.reduce((sum, { value }) => sum + value, 0n)).toBe(invested);
        for (const { value, availableLiquidity } of scaled) {
          expect(availableLiquidity! <= value).toBe(true);
        }
      }),
    );
  });

  test('behavior: a master that holds nothing in pools', () => {
    expect(scaleToStake([{ value: 0n, availableLiquidity: 5n }], 100n, 0n)).toEqual([
      { value: 0n, availableLiquidity: null },
    ]);
  });
});

describe('feederRewardApr', () => {
  test('default', () => {
    // 30 a year on 600 in pools; 60 of those are the feeder's: 3 a year on its 80.
    const master = { tvl: 1_000n, invested: 600n, rewardApr: 0.03 };
    expect(feederRewardApr({ tvl: 80n, invested: 60n }, master)).toBeCloseTo(3 / 80, 15);
  });

  test('behavior: a feeder with the same invested part as its master earns the same', () => {
    const master = { tvl: 10n ** 24n, invested: 7n * 10n ** 23n, rewardApr: 0.0123 };
    const feeder = { tvl: 10n ** 12n, invested: 7n * 10n ** 11n };
    expect(feederRewardApr(feeder, master)).toBeCloseTo(0.0123, 15);
  });

  test('behavior: an empty feeder earns nothing', () => {
    const master = { tvl: 100n, invested: 50n, rewardApr: 0.1 };
    expect(feederRewardApr({ tvl: 0n, invested: 0n }, master)).toBe(0);
    expect(feederRewardApr({ tvl: 10n, invested: 0n }, master)).toBe(0);
    expect(feederRewardApr({ tvl: 10n, invested: 5n }, { ...master, invested: 0n })).toBe(0);
  });
});
