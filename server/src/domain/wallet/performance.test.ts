import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { performanceInUsd, performanceOf, performanceTotals } from './performance.ts';

const POSITION = { shares: 3_000_001n, cost: 3_000_000n, realized: -5n };
const DOLLAR = { value: 99_980_000n, decimals: 8 };

describe('performanceOf', () => {
  test('default', () => {
    expect(performanceOf(POSITION, 1_050_000n, 6)).toEqual({
      sharesBalance: 3_000_001n,
      costBasis: 3_000_000n,
      realized: -5n,
      currentValue: 3_150_001n,
      unrealized: 150_001n,
    });
  });

  test('behavior: a loss is negative', () => {
    expect(performanceOf(POSITION, 900_000n, 6).unrealized).toBe(-300_000n);
  });

  test('behavior: without a share price the value is unknown, but no shares are worth nothing', () => {
    expect(performanceOf(POSITION, null, 6)).toMatchObject({
      currentValue: null,
      unrealized: null,
    });
    const left = { shares: 0n, cost: 0n, realized: 7n };
    expect(performanceOf(left, null, 6)).toMatchObject({ currentValue: 0n, unrealized: 0n });
  });

  test('behavior: more shares out than were seen to come in leave none', () => {
    const short = { shares: -3n, cost: 0n, realized: 20n };
    expect(performanceOf(short, 10n ** 18n, 18)).toMatchObject({
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
        const made = performanceOf({ shares, cost, realized: 0n }, price, shareDecimals);
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
    expect(performanceInUsd(performanceOf(POSITION, 1_050_000n, 6), 6, DOLLAR)).toEqual({
      currentValueUsd: 3.1493709998,
      unrealizedUsd: 0.1499709998,
      realizedUsd: -0.000004999,
    });
  });

  test('behavior: unknown without a price, and without a value', () => {
    expect(performanceInUsd(performanceOf(POSITION, 1_050_000n, 6), 6, null)).toBeNull();
    expect(performanceInUsd(performanceOf(POSITION, null, 6), 6, DOLLAR)).toBeNull();
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
