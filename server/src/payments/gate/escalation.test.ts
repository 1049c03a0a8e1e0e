import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escalate, priceOfCalls } from './escalation.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

const RULE = { firstStepCalls: 1_000, factor: 5, maxFactor: 25 };

describe('escalate', () => {
  test('default: five times the price for each tenfold from a thousand calls, up to twenty-five', () => {
    const prices = [0, 100, 999, 1_000, 9_999, 10_000, 100_000, 10 ** 9].map((calls) =>
      escalate(1_000n, calls, RULE),
    );
    const [base, more, most] = [1_000n, 5_000n, 25_000n];
    expect(prices).toEqual([base, base, base, more, more, most, most, most]);
  });

  test('behavior: disabled', () => {
    expect(escalate(7n, 10 ** 9, null)).toBe(7n);
  });

  test('behavior: never falls with more calls, and stays between the price and its maximum', () => {
    const rule = fc.record({
      firstStepCalls: fc.integer({ min: 10, max: 10_000 }),
      factor: fc.integer({ min: 2, max: 100 }),
      maxFactor: fc.integer({ min: 1, max: 10_000 }),
    });
    const calls = fc.integer({ min: 0, max: 10 ** 9 });
    fc.assert(
      fc.property(rule, calls, calls, fc.bigInt(1n, 10n ** 12n), (by, a, b, price) => {
        const [few, many] = a < b ? [a, b] : [b, a];
        const [low, high] = [escalate(price, few, by), escalate(price, many, by)];
        expect(low >= price && high >= low && high <= price * BigInt(by.maxFactor)).toBe(true);
        expect(escalate(price, by.firstStepCalls - 1, by)).toBe(price);
      }),
    );
  });
});

describe('priceOfCalls', () => {
  test('default: the sum of the prices of single calls, also across a tier', () => {
    expect(priceOfCalls({ price: 1_000n, calls: 20 }, 0, RULE)).toBe(20_000n);
    expect(priceOfCalls({ price: 1_000n, calls: 20 }, 995, RULE)).toBe(5n * 1_000n + 15n * 5_000n);
    expect(priceOfCalls({ price: 1_000n, calls: 20 }, 995, null)).toBe(20_000n);
    expect(priceOfCalls({ price: 1_000n, calls: 1 }, 1_000, RULE)).toBe(5_000n);
  });
});
