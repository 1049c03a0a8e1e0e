import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { performanceInUsd, performanceOf, performanceTotals } from './performance.ts';

const POSITION = position(3_000_001n, 3_000_000n, -5n);

function position(shares: bigint, cost: bigint, realized: bigint) {
  return { shares, sharesOn: new Map([[1, shares]]), cost, realized };
}

const priced = (price: bigint, decimals: number) => () => ({
  assets: price,
  shares: 10n ** BigInt(decimals),
});
const DOLLAR = { value: 99_980_000n, decimals: 8 };

describe('performanceOf', () => {
  test('default', () => {
    expect(performanceOf(POSITION, priced(1_050_000n, 6))).toEqual({
      sharesBalance: 3_000_001n,
      costBasis: 3_000_000n,
      realized: -5n,
      currentValue: 3_150_001n,
      unrealized: 150_001n,
    });
  });

  test('behavior: each chain at its own price, rounded once', () => {
    const two = {
      shares: 6n,
      sharesOn: new Map([
        [1, 3n],
        [10, 3n],
      ]),
      cost: 5n,
      realized: 0n,
    };
    const ratios = new Map([
      [1, { assets: 1n, shares: 2n }],
      [10, { assets: 5n, shares: 2n }],
    ]);
    expect(performanceOf(two, (chainId) => ratios.get(chainId) ?? null).currentValue).toBe(9n);
    expect(performanceOf(two, () => null).currentValue).toBeNull();
  });

  test('behavior: a loss is negative', () => {
    expect(performanceOf(POSITION, priced(900_000n, 6)).unrealized).toBe(-300_000n);
  });

  test('behavior: without a share price, the value is unknown, but that of no shares is zero', () => {
    expect(performanceOf(POSITION, () => null)).toMatchObject({
      currentValue: null,
      unrealized: null,
    });
    const left = position(0n, 0n, 7n);
    expect(performanceOf(left, () => null)).toMatchObject({ currentValue: 0n, unrealized: 0n });
  });

  test('behavior: a wallet that sent more shares than it received has none', () => {
    const short = position(-3n, 0n, 20n);
    expect(performanceOf(short, priced(10n ** 18n, 18))).toMatchObject({
      sharesBalance: 0n,
      currentValue: 0n,
      unrealized: 0n,
    });
  });

  test('behavior: rounded down by less than one unit, at any decimals', () => {
    const amount = fc.bigInt(0n, 10n ** 40n);
    const decimals = fc.integer({ min: 0, max: 36 });
    fc.assert(
      fc.property(amount, amount, amount, decimals, (shares, cost, price, shareDecimals) => {
        const made = performanceOf(position(shares, cost, 0n), priced(price, shareDecimals));
        const whole = 10n ** BigInt(shareDecimals);
        expect(made.currentValue! * whole <= shares * price).toBe(true);
        expect((made.currentValue! + 1n) * whole > shares * price).toBe(true);
        expect(made.unrealized! + cost).toBe(made.currentValue);
      }),
      { numRuns: 300 },
    );
  });
});

describe('performanceInUsd', () => {
  test('default', () => {
    expect(performanceInUsd(performanceOf(POSITION, priced(1_050_000n, 6)), 6, DOLLAR)).toEqual({
      currentValueUsd: 3.1493709998,
      unrealizedUsd: 0.1499709998,
      realizedUsd: -0.000004999,
    });
  });

  test('behavior: unknown without a price, and without a value', () => {
    expect(performanceInUsd(performanceOf(POSITION, priced(1_050_000n, 6)), 6, null)).toBeNull();
    expect(
      performanceInUsd(
        performanceOf(POSITION, () => null),
        6,
        DOLLAR,
      ),
    ).toBeNull();
  });
});

describe('performanceTotals', () => {
  test('default', () => {
    const usd = { currentValueUsd: 2, unrealizedUsd: -1, realizedUsd: 0.5 };
    const families = [
      { family: 'a', usd },
      { family: 'b', usd: null },
      { family: 'c', usd },
    ];
    expect(performanceTotals(families)).toEqual({
      currentValueUsd: 4,
      unrealizedUsd: -2,
      realizedUsd: 1,
      unpricedFamilies: ['b'],
    });
  });

  test('behavior: nothing held', () => {
    expect(performanceTotals([])).toEqual({
      currentValueUsd: 0,
      unrealizedUsd: 0,
      realizedUsd: 0,
      unpricedFamilies: [],
    });
  });
});
