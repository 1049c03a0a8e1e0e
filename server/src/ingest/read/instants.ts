import { bucketOf, gridBetween } from '../../domain/time.ts';
import type { Queryable } from '../../store/store.ts';
import { ticks } from '../../store/ticks/ticks.ts';
import type { Reader } from './reader.ts';

/**
 * Returns when to read states in (after, until]: on the grid, and wherever a family already has a tick. Such a tick was
 * made while this chain was unreachable, and needs this chain's state at the same instant.
 */
export async function instantsToRead(
  db: Queryable,
  readers: readonly Reader[],
  span: {
    readonly after: number;
    readonly until: number;
    readonly tickSeconds: number;
    /** No family had begun before this time, so the grid starts here. */
    readonly notBefore?: number;
    /** The newest instant of this finer grid is included, so that the current value is known at the head. */
    readonly newestOf?: number;
  },
): Promise<number[]> {
  const { after, until, tickSeconds, notBefore = 0, newestOf } = span;
  if (until <= after) return [];
  const familyIds = readers.flatMap((reader) =>
    reader.kind === 'family' ? [reader.familyId] : [],
  );
  const made = await ticks.getInstants(db, familyIds, after, until);
  const grid = gridBetween(Math.max(after, notBefore - 1), until, tickSeconds);
  const newest = newestOf === undefined ? after : bucketOf(until, newestOf);
  const present = newest > after ? [newest] : [];
  return [...new Set([...grid, ...made, ...present])].sort((a, b) => a - b);
}
