import { describe, expect, test } from 'vitest';
import { costsTooMuch } from './gasPrice.ts';

describe('costsTooMuch', () => {
  // 100,000 gas at 0.01 gwei is a millionth of a coin: 3,000 base units at 3,000 USD.
  const wei = 100_000n * 10_000_000n;
  const worth = { nativePrice: 3_000_000_000n, priceShare: 1_000_000n };

  test.each([
    [3_000n, 1_000_000n, false],
    [2_999n, 1_000_000n, true],
    [6_000n, 500_000n, false],
    [5_999n, 500_000n, true],
    [1_500n, 2_000_000n, false],
  ])('default: a price of %s with a share of %s millionths', (price, priceShare, tooMuch) => {
    expect(costsTooMuch({ ...worth, priceShare }, { wei, price })).toBe(tooMuch);
  });

  test('behavior: never if the price of a coin is unknown', () => {
    expect(costsTooMuch({ ...worth, nativePrice: null }, { wei, price: 1n })).toBe(false);
    expect(costsTooMuch(undefined, { wei, price: 1n })).toBe(false);
  });
});
