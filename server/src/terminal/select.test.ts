import { describe, expect, test } from 'vitest';
import { PathError, parsePath, selectValues } from './select.ts';

const VALUE = {
  series: [
    { at: 1, apy: 0.04 },
    { at: 2, apy: 0.05 },
  ],
  vaults: [
    { slug: 'a', stats: null },
    { slug: 'b', stats: { tvl: '1' } },
  ],
  'odd key': { n: 1 },
  empty: [],
};

function select(path: string, value: unknown = VALUE): unknown[] {
  return selectValues(value, parsePath(path));
}

function refusal(path: string, value?: unknown): string {
  try {
    select(path, value);
  } catch (error) {
    if (error instanceof PathError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('selectValues', () => {
  test.each([
    ['.', [VALUE]],
    ['.series[-1].apy', [0.05]],
    ['.series[0]', [{ at: 1, apy: 0.04 }]],
    ['.vaults[].slug', ['a', 'b']],
    ['.vaults.[].slug', ['a', 'b']],
    ['["odd key"].n', [1]],
    ['.["odd key"]', [{ n: 1 }]],
    ['.series[].apy', [0.04, 0.05]],
  ])('default: %s', (path, found) => {
    expect(select(path)).toEqual(found);
  });

  test('behavior: a list or an object at the top', () => {
    expect(select('[].slug', VALUE.vaults)).toEqual(['a', 'b']);
    expect(select('.[1].slug', VALUE.vaults)).toEqual(['b']);
    expect(select('.[]', { a: 1, b: 2 })).toEqual([1, 2]);
  });

  test('behavior: unknown stays null', () => {
    expect(select('.vaults[].stats.tvl')).toEqual([null, '1']);
    expect(select('.empty[-1].apy')).toEqual([null]);
    expect(select('.vaults[0].stats[]')).toEqual([]);
    expect(select('.vaults[].name?')).toEqual([null, null]);
  });

  test('error: an invalid path lists the existing fields', () => {
    expect(refusal('.vaults[].slgu')).toBe('.vaults[0] has no slgu; it has slug, stats');
    expect(refusal('.vaults.slug')).toBe(
      '.vaults is a list, so it has no .slug; add [] for each element, or [0]',
    );
    expect(refusal('.series[0].apy.x')).toBe('.series[0].apy is a number, so it has no .x');
    expect(refusal('[0]')).toBe('the response is an object, so it has no [0]');
    expect(refusal('.vaults[0].slug[]')).toBe('.vaults[0].slug is a string, so it has no []');
    expect(refusal('.constructor')).toMatch(/^the response has no constructor;/);
    expect(refusal('.a', {})).toBe('the response has no a; it is empty');
  });

  test.each(['', 'vaults', '.a b', '.a[', '.a[x]', '..a', '.a[1.5]', '.a.', '.vaults[] | length'])(
    'error: "%s" is not a path',
    (path) => {
      expect(() => parsePath(path)).toThrow(/cannot be read.*write it as in \.vaults\[0\]\.slug/);
    },
  );
});
