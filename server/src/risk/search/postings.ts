/** The ascending numbers in each of many lists. As ranks, they start with the nodes of the greatest value. */
export interface Postings {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ranks: Uint32Array<ArrayBuffer>;
}

/** Appends each of `rankOf` to the list at the same index of `listOf`. Without `rankOf`, the numbers are 0, 1, 2 … */
export function buildPostings(lists: number, listOf: Uint32Array, rankOf?: Uint32Array): Postings {
  const count = listOf.length;
  const starts = new Uint32Array(lists + 1);
  for (let i = 0; i < count; i++) starts[listOf[i]! + 1]!++;
  for (let list = 0; list < lists; list++) starts[list + 1]! += starts[list]!;
  const next = starts.slice();
  const ranks = new Uint32Array(count);
  for (let i = 0; i < count; i++)
    ranks[next[listOf[i]!]!++] = rankOf === undefined ? i : rankOf[i]!;
  return { starts, ranks };
}
