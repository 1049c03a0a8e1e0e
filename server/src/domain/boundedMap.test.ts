import { describe, expect, test } from 'vitest';
import { BoundedMap } from './boundedMap.ts';

describe('BoundedMap', () => {
  test('default: the oldest goes first', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3);
    expect([...map]).toEqual([
      ['b', 2],
      ['c', 3],
    ]);
  });

  test('behavior: setting a key again makes it the newest', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 4).set('c', 3);
    expect([...map]).toEqual([
      ['a', 4],
      ['c', 3],
    ]);
  });
});
