import { describe, expect, test } from 'vitest';
import { inverseOf, ratioOfPrice, worthOf, worthTogether } from './ratio.ts';

describe('worthOf', () => {
  test('default: rounded down', () => {
    expect(worthOf(7n, { assets: 2n, shares: 3n })).toBe(4n);
  });

  test('behavior: digits below one base unit of a share count', () => {
    const ratio = { assets: 1_001_095_991_234_567n * 10n ** 18n, shares: 10n ** 33n };
    expect(worthOf(10n ** 20n, ratio)).toBe(100_109_599_123_456_700_000n);
  });
});

describe('ratioOfPrice', () => {
  test('default', () => {
    expect(ratioOfPrice(1_234_567n, 6)).toEqual({ assets: 1_234_567n, shares: 1_000_000n });
  });
});

describe('inverseOf', () => {
  test('default: two units of 6 decimals for a share of 18', () => {
    const decimals = { assetDecimals: 6, shareDecimals: 18 };
    const ratio = { assets: 2_000_000n, shares: 10n ** 18n };
    expect(worthOf(10n ** 18n, inverseOf(ratio, decimals))).toBe(500_000n);
  });
});

describe('worthTogether', () => {
  test('default: rounded once over all', () => {
    const half = { assets: 1n, shares: 2n };
    expect(worthTogether([{ shares: 1n, ratio: half }])).toBe(0n);
    expect(
      worthTogether([
        { shares: 1n, ratio: half },
        { shares: 1n, ratio: half },
      ]),
    ).toBe(1n);
  });

  test('behavior: a part without a price makes the sum unknown, unless the part is empty', () => {
    expect(worthTogether([{ shares: 1n, ratio: null }])).toBeNull();
    expect(worthTogether([{ shares: 0n, ratio: null }])).toBe(0n);
    expect(worthTogether([])).toBe(0n);
  });
});
