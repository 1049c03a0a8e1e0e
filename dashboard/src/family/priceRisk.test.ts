import { describe, expect, test } from 'vitest';
import { largestDrawdown, yearlyVolatility } from './priceRisk.ts';

const points = (values: readonly number[], days = 1) =>
  values.map((value, index) => ({
    at: new Date(Date.UTC(2026, 0, 1 + index * days)).toISOString(),
    value: BigInt(value),
  }));

describe('drawdown', () => {
  test('default: from the highest price to the lowest after it', () => {
    const found = largestDrawdown(points([100, 120, 90, 110, 200, 160]))!;
    expect(found.fraction).toBeCloseTo(0.25, 9);
    expect([found.from, found.to].map((at) => at.slice(0, 10))).toEqual([
      '2026-01-02',
      '2026-01-03',
    ]);
  });

  test('behavior: a price that never fell has no drawdown, and a single point has no result', () => {
    expect(largestDrawdown(points([100, 100, 101]))?.fraction).toBe(0);
    expect(largestDrawdown(points([100]))).toBeNull();
  });
});

describe('volatility', () => {
  test('default: constant growth has none, and varying growth has some', () => {
    const steady = [1_000_000, 1_010_000, 1_020_100, 1_030_301, 1_040_604, 1_051_010, 1_061_520];
    expect(yearlyVolatility(points([...steady, 1_072_135]))).toBeCloseTo(0, 4);
    const swings = yearlyVolatility(points([100, 110, 100, 110, 100, 110, 100, 110, 100]))!;
    // Each day by ln(1.1) up or down, of which 8 have the sample deviation below.
    expect(swings).toBeCloseTo(Math.log(1.1) * Math.sqrt((8 / 7) * 365), 9);
  });

  test('behavior: a change over four days counts half, and too few changes are not measured', () => {
    const prices = [100, 110, 100, 110, 100, 110, 100, 110, 100];
    const [daily, slow] = [points(prices), points(prices, 4)].map(yearlyVolatility);
    expect(slow! / daily!).toBeCloseTo(0.5, 9);
    expect(yearlyVolatility(points([100, 110, 100]))).toBeNull();
  });
});
