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

  test('behavior: a day without a price is a gap, and not the end of its family', () => {
    const { days, families, unpriced } = valueByDay(
      [move('a', 1, 5n, 5), move('b', 1, 2n, 2), move('b', 2 * DAY + 1, -1n, 3)],
      [prices('a', 1, 1, 1), prices('b', 1, null, 3)],
      2 * DAY + 50,
    );
    expect(unpriced).toEqual([]);
    expect(families).toEqual([
      { family: 'a', values: [5, 5, 5] },
      { family: 'b', values: [2, null, 3] },
    ]);
    expect(days.map(({ value }) => value)).toEqual([7, null, 8]);
    expect(days.map(({ flow }) => flow)).toEqual([7, 0, -3]);
  });

  test('behavior: a family without a price now is left out, and named', () => {
    const { days, unpriced } = valueByDay(
      [move('a', 1, 5n, 5), move('b', 1, 5n, 5)],
      [prices('a', 1, 1), prices('b', 1, null)],
      DAY + 50,
    );
    expect(unpriced).toEqual(['b']);
    expect(days.map(({ value, flow }) => [value, flow])).toEqual([
      [5, 5],
      [5, 0],
    ]);
  });

  test('behavior: a family with a movement of unknown value is left out, and named', () => {
    const { days, families, unpriced } = valueByDay(
      [move('a', 1, 5n, 5), move('b', 1, 5n), move('b', 2, -5n)],
      [prices('a', 1, 1), prices('b', null, 1)],
      DAY + 50,
    );
    expect(unpriced).toEqual(['b']);
    expect(families.map(({ family }) => family)).toEqual(['a']);
    expect(days.map(({ flow }) => flow)).toEqual([5, 0]);
  });

  test('behavior: nothing without movements', () => {
    expect(valueByDay([], [], 100).times).toEqual([]);
  });
});
