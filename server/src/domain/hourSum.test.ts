import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHourSum } from './hourSum.ts';

describe('createHourSum', () => {
  test('default', () => {
    const sum = createHourSum();
    sum.add(5n, 30);
    sum.add(7n, 100);
    expect(sum.total(100)).toBe(12n);
    expect(sum.secondsUntil(12n, 100)).toBe(0);
    expect(sum.secondsUntil(11n, 100)).toBe(3_560);
    expect(sum.secondsUntil(6n, 100)).toBe(3_620);
    expect(sum.total(3_659)).toBe(12n);
    expect(sum.total(3_660)).toBe(7n);
    expect(sum.total(3_720)).toBe(0n);
  });

  test('behavior: an amount that never fits has the maximum wait, an hour', () => {
    const sum = createHourSum();
    expect(sum.secondsUntil(-1n, 0)).toBe(3_600);
  });

  test('behavior: the sum covers at least an hour, and at most an hour and a minute', () => {
    const entry = fc.tuple(fc.bigInt({ min: 0n, max: 1_000n }), fc.nat(10_000));
    fc.assert(
      fc.property(fc.array(entry), fc.nat(20_000), (entries, now) => {
        const sum = createHourSum();
        for (const [amount, at] of entries) if (at <= now) sum.add(amount, at);
        const since = (seconds: number) =>
          entries
            .filter(([, at]) => at <= now && at > now - seconds)
            .reduce((total, [amount]) => total + amount, 0n);
        const total = sum.total(now);
        expect(total >= since(3_600) && total <= since(3_660)).toBe(true);
        const wait = sum.secondsUntil(total / 2n, now);
        expect(sum.total(now + wait) <= total / 2n).toBe(true);
      }),
    );
  });
});
