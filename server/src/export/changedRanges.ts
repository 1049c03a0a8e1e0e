import type { FamilyState, PastChange } from '../store/exports/exportState.ts';

/** Times of rows, from `from` on and before `to`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export const ALL_TIMES: TimeRange = { from: 0, to: Number.MAX_SAFE_INTEGER };

/**
 * The times at which rows of a family can have changed between two states of it: those that a source had not passed, those
 * that were taken back or written later, and days that were thinned. Empty if nothing moved.
 */
export function changedRanges(
  before: FamilyState | undefined,
  now: FamilyState,
  changes: readonly PastChange[],
): TimeRange[] {
  if (before === undefined || !hasSameSources(before, now)) return [ALL_TIMES];
  const chains = new Set(now.sources.map(({ chainId }) => chainId));
  const own = changes.filter(({ families, chainId }) =>
    families.length === 0 ? chains.has(chainId) : families.includes(now.familyId),
  );
  const hasMoved =
    // A family is also folded further when a source that held it back is given up.
    before.tickUntil !== now.tickUntil ||
    before.positionUntil !== now.positionUntil ||
    now.sources.some((source, i) => {
      const old = before.sources[i]!;
      return old.indexedBlock !== source.indexedBlock || old.indexedTime !== source.indexedTime;
    });
  const reached = hasMoved ? before.sources.map(({ indexedTime }) => indexedTime) : [];
  // Ticks after this time were missing, or were about to be recomputed.
  if (before.tickUntil !== now.tickUntil) reached.push(before.tickUntil + 1);
  const from = Math.min(ALL_TIMES.to, ...reached, ...own.map(({ fromTime }) => fromTime));
  return merged([
    { from: before.hourlyUntil, to: now.hourlyUntil },
    { from: before.dailyUntil, to: now.dailyUntil },
    { from, to: ALL_TIMES.to },
  ]);
}

/** In order, without those that are empty. No row may be in two of them. */
function merged(ranges: readonly TimeRange[]): TimeRange[] {
  const made: TimeRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = made.at(-1);
    if (range.from >= range.to) continue;
    if (last === undefined || range.from > last.to) made.push(range);
    else made[made.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return made;
}

function hasSameSources(before: FamilyState, now: FamilyState): boolean {
  const keysOf = ({ familyId, sources }: FamilyState) =>
    [
      familyId,
      ...sources.map(({ chainId, key, startBlock }) => `${chainId} ${key} ${startBlock}`),
    ].join();
  return keysOf(before) === keysOf(now);
}
