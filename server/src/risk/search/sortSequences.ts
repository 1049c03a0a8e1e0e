import { buildPostings } from './postings.ts';

/** Sequences of whole numbers, one after the other. */
export interface Sequences {
  readonly numbers: Uint32Array;
  /** Where each begins, and at the end where the last one ends. */
  readonly starts: Uint32Array;
}

/**
 * The places of the sequences in order, all numbers being below `limit`. Goes from the last number to the first and
 * never compares: each step puts those that are that long in lists by their number there, and a list keeps the order
 * of the step before.
 */
export function sortSequences(
  { numbers, starts }: Sequences,
  limit: number,
): Uint32Array<ArrayBuffer> {
  const count = starts.length - 1;
  const lengths = new Uint32Array(count);
  let longest = 0;
  for (let i = 0; i < count; i++) {
    lengths[i] = starts[i + 1]! - starts[i]!;
    if (lengths[i]! > longest) longest = lengths[i]!;
  }
  const byLength = buildPostings(longest + 1, lengths);
  const endingAfter = (length: number) =>
    byLength.ranks.subarray(byLength.starts[length], byLength.starts[length + 1]);
  let order = new Uint32Array(0);
  for (let at = longest - 1; at >= 0; at--) {
    // What ends here stands before what goes on.
    const both = joined(endingAfter(at + 1), order);
    const numberAt = new Uint32Array(both.length);
    for (let i = 0; i < both.length; i++) numberAt[i] = numbers[starts[both[i]!]! + at]!;
    order = buildPostings(limit, numberAt, both).ranks;
  }
  return joined(endingAfter(0), order);
}

function joined(first: Uint32Array, second: Uint32Array): Uint32Array<ArrayBuffer> {
  const both = new Uint32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
