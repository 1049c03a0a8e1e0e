import { describe, expect, test } from 'vitest';
import type { FamilyState } from '../store/exports/exportState.ts';
import { ALL_TIMES, changedRanges } from './changedRanges.ts';

const END = ALL_TIMES.to;

function state(times: readonly number[], more: Partial<FamilyState> = {}): FamilyState {
  return {
    ...{ familyId: 3, slug: 'f', tickUntil: 0, positionUntil: 0, hourlyUntil: 0, dailyUntil: 0 },
    sources: times.map((indexedTime, i) => ({
      ...{ key: 'family:f', chainId: i + 1, startBlock: 1, blockHash: null },
      ...{ indexedBlock: indexedTime, indexedTime },
    })),
    ...more,
  };
}

describe('changedRanges', () => {
  test('default: starts at the time of the slowest source', () => {
    expect(changedRanges(state([100, 90]), state([110, 95]), [])).toEqual([{ from: 90, to: END }]);
  });

  test('behavior: a family that no longer waits for a source is folded further', () => {
    const folded = state([100, 40], { tickUntil: 100 });
    expect(changedRanges(state([100, 40], { tickUntil: 40 }), folded, [])).toEqual([
      { from: 40, to: END },
    ]);
  });

  test('behavior: ticks that were due for recomputation at the last export', () => {
    const folded = state([100], { tickUntil: 100 });
    expect(changedRanges(state([100], { tickUntil: 29 }), folded, [])).toEqual([
      { from: 30, to: END },
    ]);
  });

  test('behavior: no range if nothing changed', () => {
    expect(changedRanges(state([100]), state([100]), [])).toEqual([]);
  });

  test('behavior: removed rows', () => {
    const of = (families: number[], chainId: number) => [{ families, chainId, fromTime: 50 }];
    const ranges = (families: number[], chainId: number) =>
      changedRanges(state([100]), state([100]), of(families, chainId));
    expect(ranges([3], 9)).toEqual([{ from: 50, to: END }]);
    expect(ranges([4], 1)).toEqual([]);
    // If the families are unknown, the range covers the entire chain.
    expect(ranges([], 1)).toEqual([{ from: 50, to: END }]);
    expect(ranges([], 9)).toEqual([]);
  });

  test('behavior: thinned days, no time twice', () => {
    const thinned = state([110], { hourlyUntil: 40, dailyUntil: 20 });
    expect(changedRanges(state([100], { hourlyUntil: 10 }), thinned, [])).toEqual([
      { from: 0, to: 40 },
      { from: 100, to: END },
    ]);
  });

  test('behavior: a new family, and one with another source', () => {
    expect(changedRanges(undefined, state([1]), [])).toEqual([ALL_TIMES]);
    expect(changedRanges(state([1]), state([1, 2]), [])).toEqual([ALL_TIMES]);
  });
});
