import { describe, expect, test } from 'vitest';
import { align, inSpan, rebase, spanName, stack } from './line.ts';

const line = (values: (number | null)[]) => ({ label: '', values, format: String });

describe('lines', () => {
  test('default: stacked, with a gap where a value is missing', () => {
    expect(stack([line([1, 2]), line([3, null]), line([5, 6])])).toEqual([
      [1, 2],
      [4, null],
      [9, null],
    ]);
    expect(stack([])).toEqual([]);
  });

  test('default: series of different times share one axis', () => {
    const at = (second: number) => new Date(second * 1000).toISOString();
    const one = [
      { at: at(1), value: 10 },
      { at: at(3), value: 30 },
    ];
    expect(align([one, [{ at: at(2), value: 5 }]])).toEqual({
      times: [1, 2, 3],
      values: [
        [10, null, 30],
        [null, 5, null],
      ],
    });
  });

  test('default: rebased to 100 at the first known value', () => {
    expect(rebase([null, 4, 5, null])).toEqual([null, 100, 125, null]);
    expect(rebase([null, 0])).toEqual([null, null]);
  });
});

describe('inSpan', () => {
  const ticks = ['00:00:00', '01:00:00', '02:00:00', '03:00:00'].map((time) => ({
    at: `2026-01-01T${time}.000Z`,
  }));
  const at = (index: number) => Date.parse(ticks[index]!.at) / 1000;

  test('default: includes both ends, and nothing outside', () => {
    expect(inSpan(ticks, { min: at(1), max: at(2) })).toEqual(ticks.slice(1, 3));
    expect(inSpan(ticks, { min: at(1) + 1, max: at(2) - 1 })).toEqual([]);
    expect(spanName({ min: at(1), max: at(2) })).toBe('-2026-01-01T01-00-to-2026-01-01T02-00');
  });

  test('behavior: everything without a zoom', () => {
    expect(inSpan(ticks, undefined)).toEqual(ticks);
    expect(spanName(undefined)).toBe('');
  });
});
