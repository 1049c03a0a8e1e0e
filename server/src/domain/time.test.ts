import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketOf, DAY, gridBetween, HOUR, toIso } from './time.ts';

describe('gridBetween', () => {
  test('default', () => {
    expect(gridBetween(0, 900, 300)).toEqual([300, 600, 900]);
  });

  test('behavior: the start is left out, the end is not', () => {
    expect(gridBetween(300, 600, 300)).toEqual([600]);
    expect(gridBetween(299, 599, 300)).toEqual([300]);
    expect(gridBetween(300, 300, 300)).toEqual([]);
    expect(gridBetween(600, 300, 300)).toEqual([]);
    expect(gridBetween(-1, 0, 300)).toEqual([0]);
  });

  test('behavior: adjacent ranges have every instant once', () => {
    const time = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(time, time, time, fc.integer({ min: 1, max: 5_000 }), (a, b, c, interval) => {
        const [start, middle, end] = [a, b, c].sort((x, y) => x - y) as [number, number, number];
        expect([
          ...gridBetween(start, middle, interval),
          ...gridBetween(middle, end, interval),
        ]).toEqual(gridBetween(start, end, interval));
      }),
    );
  });
});

describe('bucketOf', () => {
  test('default', () => {
    expect(bucketOf(1_790_000_000, HOUR)).toBe(1_789_999_200);
    expect(bucketOf(DAY, DAY)).toBe(DAY);
    expect(bucketOf(DAY - 1, DAY)).toBe(0);
  });
});

describe('toIso', () => {
  test('default', () => {
    expect(toIso(1_790_000_000)).toBe('2026-09-21T14:13:20.000Z');
  });
});
