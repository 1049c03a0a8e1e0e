import { describe, expect, test } from 'vitest';
import { valueByDay } from './valueDays.ts';

const DAY = 86_400;
const prices = (family: string, ...usd: (number | null)[]) => ({
  family,
  points: usd.map((usdPerShare, index) => ({ at: index * DAY, usdPerShare })),
});
const move = (family: string, at: number, shares: bigint, usd: number | null = null) => ({
  ...{ family, at, shares, usd },
});

describe('valueByDay', () => {
  test('default: shares at the price of each day, with the flows between', () => {
    const { times, days, families, unpriced } = valueByDay(
      [move('a', 100, 10n, 10), move('a', DAY + 5, -4n, 8)],
      [prices('a', 1, 2, 3)],
      2 * DAY + 50,
    );
    expect(times).toEqual([DAY - 1, 2 * DAY - 1, 2 * DAY + 50]);
    expect(days.map(({ value }) => value)).toEqual([10, 12, 18]);
    expect(days.map(({ flow }) => flow)).toEqual([10, -8, 0]);
    expect(families).toEqual([{ family: 'a', values: [10, 12, 18] }]);
    expect(unpriced).toEqual([]);
  });

  test('behavior: a transfer without a value counts at the price of its day', () => {
    const { days } = valueByDay([move('a', 1, 5n), move('a', 2, -2n)], [prices('a', 3)], 100);
    expect(days).toEqual([{ at: 100, value: 9, flow: 9 }]);
  });

  test('behavior: a family without a price is left out, and named', () => {
    const { days, unpriced } = valueByDay(
      [move('a', 1, 5n, 5), move('b', 1, 5n, 5)],
      [prices('a', 1), prices('b', null)],
      100,
    );
    expect(unpriced).toEqual(['b']);
    expect(days).toEqual([{ at: 100, value: 5, flow: 5 }]);
  });

  test('behavior: nothing without movements', () => {
    expect(valueByDay([], [], 100).times).toEqual([]);
  });
});
