import { describe, expect, test } from 'vitest';
import { addedIn, groupByBlock } from './groups.ts';

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

  test('behavior: blocks are sorted as numbers, not as text', () => {
    expect(groupByBlock([at('a', 9), at('b', 10)]).map(({ block }) => block)).toEqual([9, 10]);
  });

  test('behavior: nothing to read', () => {
    expect(groupByBlock([])).toEqual([]);
  });
});

test('addedIn: a source that was at the head before is not an added one, regardless of its lag', () => {
  const rows = new Map(Object.entries({ a: { followed: true }, b: { followed: false } }));
  expect([...addedIn({ keys: ['a', 'b'] }, rows)]).toEqual(['b']);
});
