import { describe, expect, test } from 'vitest';
import { auc, bootstrap, createAuc, exactInterval, pick } from './measure.ts';

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
  test('behavior: the same interval every time, around the value', () => {
    const happened = Array.from({ length: 60 }, (_, place) => place % 3 === 0);
    const scores = happened.map((value, place) => ((place * 7) % 20) + (value ? 5 : 0));
    const figure = createAuc(scores, happened);
    const { low, high } = bootstrap(happened, figure, 200);
    expect(bootstrap(happened, figure, 200)).toEqual({ low, high });
    expect(low).toBeLessThan(auc(scores, happened)!);
    expect(high).toBeGreaterThan(auc(scores, happened)!);
  });
});

describe('createAuc', () => {
  test('behavior: a case sampled several times counts as several cases', () => {
    const scores = [3, 1, 2, 2, 5, 4];
    const happened = [true, false, true, false, false, true];
    const drawn = [0, 0, 1, 2, 3, 3, 4];
    expect(createAuc(scores, happened)(drawn)).toBe(
      auc(pick(scores, drawn), pick(happened, drawn)),
    );
  });
});

describe('exactInterval', () => {
  // Computed by hand: with none of n observed, the upper end is 1 - 0.025^(1/n).
  test('default', () => {
    expect(exactInterval(0, 20)).toEqual({ low: 0, high: expect.closeTo(1 - 0.025 ** (1 / 20)) });
    expect(exactInterval(20, 20)).toEqual({ low: expect.closeTo(0.025 ** (1 / 20)), high: 1 });
    expect(exactInterval(5, 50)).toEqual({
      low: expect.closeTo(0.0333, 3),
      high: expect.closeTo(0.2181, 3),
    });
  });
});
