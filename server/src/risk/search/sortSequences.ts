import { buildPostings } from './postings.ts';

/** Sequences of integers, concatenated. */
export interface Sequences {
  readonly numbers: Uint32Array;
  /** Start of each sequence, followed by the end of the last. */
  readonly starts: Uint32Array;
}

/**
 * Returns the indexes of the sequences in sorted order; all numbers are below `limit`. A radix sort from the last
 * position to the first: each pass distributes the sequences that are long enough by their number there, and keeps the
 * order of the previous pass.
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
    // A sequence that ends here is before those that continue.
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
