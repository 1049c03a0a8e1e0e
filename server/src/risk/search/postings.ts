/** For each of many lists the numbers in it, rising. Of ranks: the nodes with the greatest value come first. */
export interface Postings {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ranks: Uint32Array<ArrayBuffer>;
}

/** Puts each of `rankOf` in the list beside it in `listOf`, behind those before. Without `rankOf` they are 0, 1, 2 … */
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
