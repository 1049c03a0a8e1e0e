import { describe, expect, test } from 'vitest';
import { groupByBlock, isCatchingUp } from './groups.ts';

const at = (key: string, indexedBlock: number) => ({ key, indexedBlock });

describe('groupByBlock', () => {
  test('default', () => {
    const rows = [at('a', 70), at('b', 10), at('c', 70), at('d', 30)];
    expect(groupByBlock(rows)).toEqual([
      { keys: ['b'], block: 10, meets: 30 },
      { keys: ['d'], block: 30, meets: 70 },
      { keys: ['a', 'c'], block: 70, meets: null },
    ]);
  });

  test('behavior: blocks are numbers, not words', () => {
    expect(groupByBlock([at('a', 9), at('b', 10)]).map(({ block }) => block)).toEqual([9, 10]);
  });

  test('behavior: nothing to read', () => {
    expect(groupByBlock([])).toEqual([]);
  });
});

describe('isCatchingUp', () => {
  test('default', () => {
    expect(isCatchingUp({ meets: null }, true)).toBe(false);
  });

  test('behavior: the first backfill of a chain, and of sources added later', () => {
    expect(isCatchingUp({ meets: null }, false)).toBe(true);
    expect(isCatchingUp({ meets: 70 }, true)).toBe(true);
  });
});
