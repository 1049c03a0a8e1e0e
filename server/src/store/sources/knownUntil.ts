import type { SourceRow } from './sources.ts';

/** The last second that every readable source has passed: a block of the same second may still follow. −1: none. */
export function knownUntil(rows: readonly SourceRow[]): number {
  const readable = rows.filter((row) => row.readable);
  return readable.length === 0 ? -1 : Math.min(...readable.map((row) => row.indexedTime)) - 1;
}

/** The same as a query for `until`, of the sources of a family and a feed; null if none is readable. */
export function knownUntilOf(familyId: string, feed: string): string {
  return `select min(indexed_time) - 1 as until from source s
     where s.readable and (s.family_id = ${familyId} or s.feed = ${feed})`;
}
