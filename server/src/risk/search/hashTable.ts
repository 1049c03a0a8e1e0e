import { buildPostings, type Postings } from './postings.ts';

/**
 * Entries by the first bits of their string's hash. There are at least as many lists as entries, so a list is short
 * unless strings are equal; and the table is two blocks that a worker can hand over.
 */
export type HashTable = Postings;

/** Of so many entries, numbered 0, 1, 2 …; one whose hash is undefined is left out. */
export function buildHashTable(
  count: number,
  hashOf: (entry: number) => number | undefined,
): HashTable {
  const lists = 2 ** Math.ceil(Math.log2(Math.max(2, count)));
  const shift = shiftFor(lists);
  const listOf = new Uint32Array(count);
  for (let entry = 0; entry < count; entry++) {
    const hash = hashOf(entry);
    // Those left out go to one more list, which is cut off.
    listOf[entry] = hash === undefined ? lists : hash >>> shift;
  }
  const { starts, ranks } = buildPostings(lists + 1, listOf);
  return { starts: starts.slice(0, lists + 1), ranks: ranks.slice(0, starts[lists]!) };
}

/** The list in which the entries with this hash are, and maybe others. */
export function listOf({ starts }: HashTable, hash: number): number {
  return hash >>> shiftFor(starts.length - 1);
}

/** For a power of two: leaves as many of a hash's first bits as tell so many lists apart. */
function shiftFor(lists: number): number {
  return Math.clz32(lists) + 1;
}
