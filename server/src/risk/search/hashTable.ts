import { buildPostings, type Postings } from './postings.ts';

/**
 * Entries by the first bits of their string's hash. There are at least as many lists as entries, so lists are short
 * unless strings are equal. The table consists of two blocks that a worker can transfer.
 */
export type HashTable = Postings;

/** Builds the table for this many entries, numbered 0, 1, 2 …; entries whose hash is undefined are omitted. */
export function buildHashTable(
  count: number,
  hashOf: (entry: number) => number | undefined,
): HashTable {
  const lists = 2 ** Math.ceil(Math.log2(Math.max(2, count)));
  const shift = shiftFor(lists);
  const listOf = new Uint32Array(count);
  for (let entry = 0; entry < count; entry++) {
    const hash = hashOf(entry);
    // Omitted entries go to an extra list, which is cut off.
    listOf[entry] = hash === undefined ? lists : hash >>> shift;
  }
  const { starts, ranks } = buildPostings(lists + 1, listOf);
  return { starts: starts.slice(0, lists + 1), ranks: ranks.slice(0, starts[lists]!) };
}

/** Returns the list that contains the entries with this hash, and possibly others. */
export function listOf({ starts }: HashTable, hash: number): number {
  return hash >>> shiftFor(starts.length - 1);
}

/** For a power of two: the shift that leaves just enough leading bits of a hash to number that many lists. */
function shiftFor(lists: number): number {
  return Math.clz32(lists) + 1;
}
