/**
 * A hash table without buckets: one double per entry, the hash above the entry's number, sorted. Equal strings lie
 * side by side, so any number of duplicates costs nothing, and the table is one block that a worker can hand over.
 */
export interface HashOrder {
  readonly sorted: Float64Array<ArrayBuffer>;
  /** A power of two above every entry's number. */
  readonly span: number;
}

/** Entries are numbered 0, 1, 2 …; one without a string is left out. */
export function buildHashOrder(
  count: number,
  textOf: (entry: number) => string | undefined,
): HashOrder {
  const span = 2 ** Math.ceil(Math.log2(Math.max(2, count)));
  const buckets = bucketsFor(span);
  const keys = new Float64Array(count);
  let used = 0;
  for (let entry = 0; entry < count; entry++) {
    const text = textOf(entry);
    if (text !== undefined) keys[used++] = (hash(text) % buckets) * span + entry;
  }
  return { sorted: keys.slice(0, used).sort(), span };
}

/** Entries whose string may be `text`, in rising order; the caller compares the strings. */
export function candidatesOf(order: HashOrder, text: string): number[] {
  const { sorted, span } = order;
  const first = (hash(text) % bucketsFor(span)) * span;
  const found: number[] = [];
  for (let i = lowerBound(sorted, first); i < sorted.length; i++) {
    const entry = sorted[i]! - first;
    if (entry >= span) break;
    found.push(entry);
  }
  return found;
}

/** A double holds 53 bits: what the entry's number leaves of them, and never more than the hash has. */
function bucketsFor(span: number): number {
  return Math.min(2 ** 32, 2 ** 53 / span);
}

function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** FNV-1a over UTF-16 units, with a last mixing so that its low bits depend on all of them. */
function hash(text: string): number {
  let mixed = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x0100_0193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb_352d);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
