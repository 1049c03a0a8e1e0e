import { describe, expect, test } from 'vitest';
import { auc, bootstrap } from './measure.ts';

describe('auc', () => {
  test('default', () => {
    expect(auc([1, 2, 3, 4], [false, false, true, true])).toBe(1);
    expect(auc([4, 3, 2, 1], [false, false, true, true])).toBe(0);
    expect(auc([1, 3, 2, 4], [false, false, true, true])).toBe(0.75);
  });

  test('behavior: ties count half', () => {
    expect(auc([1, 1, 1, 1], [false, true, true, false])).toBe(0.5);
    expect(auc([1, 2, 2], [false, false, true])).toBe(0.75);
  });

  test('behavior: undefined when everything or nothing happened', () => {
    expect(auc([1, 2], [true, true])).toBeUndefined();
    expect(auc([1, 2], [false, false])).toBeUndefined();
  });
});

describe('bootstrap', () => {
  test('behavior: the same interval every time, around the figure', () => {
    const happened = Array.from({ length: 60 }, (_, place) => place % 3 === 0);
    const scores = happened.map((value, place) => ((place * 7) % 20) + (value ? 5 : 0));
    const figure = (places: readonly number[]) =>
      auc(
        places.map((place) => scores[place]!),
        places.map((place) => happened[place]!),
      );
    const { low, high } = bootstrap(happened, figure, 200);
    expect(bootstrap(happened, figure, 200)).toEqual({ low, high });
    expect(low).toBeLessThan(auc(scores, happened)!);
    expect(high).toBeGreaterThan(auc(scores, happened)!);
  });
});
