import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apportion } from './apportion.ts';

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

describe('apportion', () => {
  test('default', () => {
    expect(apportion(100n, [1n, 1n, 1n])).toEqual([34n, 33n, 33n]);
    expect(apportion(10n, [2n, 3n])).toEqual([4n, 6n]);
    // 3.5, 3.3, and 3.2: the remaining unit goes to the largest remainder.
    expect(apportion(10n, [35n, 33n, 32n])).toEqual([4n, 3n, 3n]);
  });

  test('behavior: without weights, every part is zero', () => {
    expect(apportion(10n, [0n, 0n])).toEqual([0n, 0n]);
    expect(apportion(10n, [])).toEqual([]);
  });

  test('behavior: adds up exactly, within one unit of each part, nothing without weight', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 12 }), (total, weights) => {
        fc.pre(sum(weights) > 0n);
        const parts = apportion(total, weights);
        expect(sum(parts)).toBe(total);
        for (const [i, part] of parts.entries()) {
          const off = part * sum(weights) - total * weights[i]!;
          expect(off < sum(weights) && -off < sum(weights)).toBe(true);
          if (weights[i] === 0n) expect(part).toBe(0n);
        }
      }),
    );
  });
});
