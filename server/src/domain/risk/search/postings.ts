/** For each of many lists the numbers in it, rising. Of ranks: the nodes with the greatest value come first. */
export interface Postings {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ranks: Uint32Array<ArrayBuffer>;
}

/**
 * `listsOf(rank, add)` names the lists of a rank, each once; it is asked twice, to count and to fill.
 */
export function buildPostings(
  lists: number,
  ranks: number,
  listsOf: (rank: number, add: (list: number) => void) => void,
): Postings {
  const starts = new Uint32Array(lists + 1);
  for (let rank = 0; rank < ranks; rank++)
    listsOf(rank, (list) => {
      starts[list + 1]!++;
    });
  for (let list = 0; list < lists; list++) starts[list + 1]! += starts[list]!;
  const next = starts.slice();
  const filled = new Uint32Array(starts[lists]!);
  for (let rank = 0; rank < ranks; rank++)
    listsOf(rank, (list) => {
      filled[next[list]!++] = rank;
    });
  return { starts, ranks: filled };
}
