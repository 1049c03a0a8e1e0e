import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import { DAY, YEAR } from '../time.ts';
import { apyBetween } from './apy.ts';

const START = 1_790_000_000;
const SEED = Number(process.env.ASSAY_SEED ?? 20_261_115);
const RUNS = LONG ? 20_000 : 500;

/** The value of one share at a timestamp. */
function point(at: number, assets: bigint) {
  return { at, assets, shares: 1n };
}

/** Returns a price after growth by `rate` per year, rounded down as on chain. */
function after(price: bigint, rate: number, seconds: number): bigint {
  const factor = (1 + rate) ** (seconds / YEAR);
  return (price * BigInt(Math.round(factor * 1e15))) / 10n ** 15n;
}

/** Computes (p1/p0)^(365/days) − 1 from integer powers of exact fractions; only the last root is a float. */
function exactApy(p0: bigint, p1: bigint, days: 1 | 7 | 30): number {
  // 365/30 is 73/6: an integer power, then a root.
  const [power, root] = { 1: [365n, 1], 7: [365n, 7], 30: [73n, 6] }[days] as [bigint, number];
  const scaled = (p1 ** power * 10n ** 40n) / p0 ** power;
  const [whole, fraction] = [scaled / 10n ** 40n, scaled % 10n ** 40n];
  return (Number(whole) + Number(fraction) / 1e40) ** (1 / root) - 1;
}

describe('apyBetween', () => {
  test('default', () => {
    const from = point(START, 10n ** 24n);
    for (const rate of [0, 0.0001, 0.045, 0.5, 3]) {
      for (const days of [1, 7, 30, 365]) {
        const to = point(START + days * DAY, after(from.assets, rate, days * DAY));
        // The price itself is exact to 1e-15, which the power of a year multiplies.
        const exactness = (1e-15 * 365 * (1 + rate)) / days;
        expect(Math.abs(apyBetween(from, to)! - rate)).toBeLessThan(1e-9 + exactness);
      }
    }
  });

  test('behavior: a known curve', () => {
    // 1% in exactly one week compounds to 1.01^(365/7) − 1.
    const from = point(START, 1_000_000_000_000n);
    const to = point(START + 7 * DAY, 1_010_000_000_000n);
    expect(apyBetween(from, to)).toBeCloseTo(1.01 ** (365 / 7) - 1, 9);
  });

  test('behavior: the decimals of shares and assets cancel out', () => {
    const rates = [6, 8, 18, 30].map((decimals) => {
      const price = 1_234_567n * 10n ** BigInt(decimals);
      return apyBetween(point(0, price), point(7 * DAY, (price * 1_001n) / 1_000n))!;
    });
    for (const rate of rates) expect(rate).toBeCloseTo(1.001 ** (365 / 7) - 1, 9);
  });

  test('behavior: for different numbers of shares', () => {
    const few = { at: 0, assets: 1_000n, shares: 1_000n };
    const many = { at: 7 * DAY, assets: 1_001n * 10n ** 27n, shares: 10n ** 30n };
    expect(apyBetween(few, many)).toBeCloseTo(1.001 ** (365 / 7) - 1, 9);
  });

  test('behavior: a loss is negative, at worst everything', () => {
    const from = point(0, 1_000n);
    expect(apyBetween(from, point(YEAR, 900n))).toBeCloseTo(-0.1, 12);
    expect(apyBetween(from, point(DAY, 1n))).toBe(-1);
  });

  test('behavior: no span, no rate', () => {
    const now = point(100, 5n);
    expect(apyBetween(now, now)).toBeNull();
    expect(apyBetween(now, point(99, 6n))).toBeNull();
    expect(apyBetween(point(0, 0n), now)).toBeNull();
    expect(apyBetween(now, point(200, 0n))).toBeNull();
  });

  test('behavior: an absurd window is null or finite, never infinite', () => {
    expect(apyBetween(point(0, 1n), point(1, 10n ** 77n))).toBeNull();
    const price = fc.bigInt(0n, 10n ** 78n);
    const at = fc.integer({ min: 0, max: 2 ** 33 });
    fc.assert(
      fc.property(price, at, price, at, (p0, t0, p1, t1) => {
        const apy = apyBetween(point(t0, p0), point(t1, p1));
        expect(apy === null || (Number.isFinite(apy) && apy >= -1)).toBe(true);
      }),
    );
  });

  test(`behavior: equals exact powers of exact fractions, with any decimals (seed ${SEED})`, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(6, 8, 12, 18, 24),
        fc.bigInt(10n ** 6n, 9n * 10n ** 6n),
        fc.integer({ min: -20_000, max: 20_000 }),
        fc.constantFrom<1 | 7 | 30>(1, 7, 30),
        (assetDecimals, start, millionths, days) => {
          const p0 = start * 10n ** BigInt(assetDecimals - 6);
          const p1 = (p0 * (1_000_000n + BigInt(millionths))) / 1_000_000n;
          const apy = apyBetween(point(START, p0), point(START + days * DAY, p1));
          const exact = exactApy(p0, p1, days);
          expect(Math.abs(apy! - exact)).toBeLessThan(1e-9 * Math.max(1, 1 + exact));
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  });
});
