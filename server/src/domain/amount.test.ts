import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mulDivDown, ratio, unit, worth } from './amount.ts';

describe('unit', () => {
  test('default', () => {
    expect(unit(18)).toBe(1_000_000_000_000_000_000n);
    expect(unit(0)).toBe(1n);
  });
});

describe('mulDivDown', () => {
  test('behavior: rounds towards zero', () => {
    expect(mulDivDown(7n, 3n, 2n)).toBe(10n);
  });
});

describe('ratio', () => {
  test('default', () => {
    expect(ratio(1n, 3n)).toBe(1 / 3);
    expect(ratio(-3n, 2n)).toBe(-1.5);
    expect(ratio(0n, 5n)).toBe(0);
  });

  test('behavior: 78 digits on both sides', () => {
    const big = 10n ** 77n;
    expect(ratio(big * 9n, big * 2n)).toBe(4.5);
    expect(ratio(1n, big)).toBeCloseTo(1e-77, 90);
  });

  test('behavior: agrees with floats wherever floats are exact', () => {
    const small = fc.bigInt({ min: 1n, max: 2n ** 50n });
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(ratio(a, b)).toBe(Number(a) / Number(b));
      }),
    );
  });

  test('behavior: a remainder just above half a digit rounds up', () => {
    expect(ratio(17n, 1_125_899_873_286_271n)).toBe(17 / 1_125_899_873_286_271);
  });

  test('error: nothing to divide by', () => {
    expect(ratio(1n, 0n)).toBeNaN();
  });
});

describe('worth', () => {
  test('default', () => {
    expect(worth(1_500_000n, 6, { value: 99_990_000n, decimals: 8 })).toBeCloseTo(1.49985, 12);
  });
});
