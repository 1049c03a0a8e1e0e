import { describe, expect, test } from 'vitest';
import { findTvlJumps } from './tvlJumps.ts';

describe('findTvlJumps', () => {
  test.each([
    ['to exactly ten times', 100n, 1_000n, []],
    ['to more than ten times', 100n, 1_001n, [{ family: 'usd', at: 20 }]],
    ['to exactly a tenth', 1_000n, 100n, []],
    ['to less than a tenth', 1_001n, 100n, [{ family: 'usd', at: 20 }]],
    ['from zero', 0n, 1_000n, []],
    ['to zero', 1_000n, 0n, []],
  ])('behavior: %s', (_, before, after, expected) => {
    const ticks = [
      { at: 10, tvl: before },
      { at: 20, tvl: after },
    ];
    expect(findTvlJumps([{ family: { slug: 'usd' }, ticks }])).toEqual(expected);
  });

  test('behavior: families are not compared with each other', () => {
    const [small, large] = [
      { family: { slug: 'usd' }, ticks: [{ at: 10, tvl: 1n }] },
      { family: { slug: 'eth' }, ticks: [{ at: 20, tvl: 1_000n }] },
    ];
    expect(findTvlJumps([small, large])).toEqual([]);
  });
});
