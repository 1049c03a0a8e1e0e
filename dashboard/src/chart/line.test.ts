import { describe, expect, test } from 'vitest';
import { align, rebase, stack } from './line.ts';

const line = (values: (number | null)[]) => ({ label: '', values, format: String });

describe('lines', () => {
  test('default: stacked, with a gap where one is not known', () => {
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

  test('default: rebased to 100 at the first value that is known', () => {
    expect(rebase([null, 4, 5, null])).toEqual([null, 100, 125, null]);
    expect(rebase([null, 0])).toEqual([null, null]);
  });
});
