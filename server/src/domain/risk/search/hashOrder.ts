/**
 * A hash table without chains: one double per entry, the hash above the entry's number, sorted. Equal strings lie
 * side by side, so any number of duplicates costs nothing, and the table is two blocks that a worker can hand over.
 */
export interface HashOrder {
  readonly sorted: Float64Array<ArrayBuffer>;
  /** Where the hashes that begin with some bits start in `sorted`. */
  readonly slots: Uint32Array<ArrayBuffer>;
  /** A power of two above every entry's number. */
  readonly span: number;
}

/** Entries are numbered 0, 1, 2 …; one without a string is left out. */
export function buildHashOrder(
  count: number,
  textOf: (entry: number) => string | undefined,
): HashOrder {
  const span = 2 ** Math.ceil(Math.log2(Math.max(2, count)));
  const values = hashValues(span);
  const keys = new Float64Array(count);
  let used = 0;
  for (let entry = 0; entry < count; entry++) {
    const text = textOf(entry);
    if (text !== undefined) keys[used++] = (hash(text) % values) * span + entry;
  }
  const sorted = keys.slice(0, used).sort();
  const slots = new Uint32Array(span / 2 + 1);
  const width = (values * span) / (slots.length - 1);
  for (let i = 0; i < used; i++) slots[Math.floor(sorted[i]! / width) + 1]!++;
  for (let slot = 1; slot < slots.length; slot++) slots[slot]! += slots[slot - 1]!;
  return { sorted, slots, span };
}

/** Asks of the entries whose string may be `text`, in rising order, until one is the right one. */
export function findEntry(
  { sorted, slots, span }: HashOrder,
  text: string,
  isRight: (entry: number) => boolean,
): number | undefined {
  const values = hashValues(span);
  const first = (hash(text) % values) * span;
  const slot = Math.floor(first / ((values * span) / (slots.length - 1)));
  const end = slots[slot + 1]!;
  for (let i = slots[slot]!; i < end; i++) {
    const entry = sorted[i]! - first;
    if (entry >= 0 && entry < span && isRight(entry)) return entry;
  }
  return undefined;
}

/** A double holds 53 bits: what the entry's number leaves of them, and never more than the hash has. */
function hashValues(span: number): number {
  return Math.min(2 ** 32, 2 ** 53 / span);
}

/** FNV-1a over UTF-16 units, with a last mixing so that its low bits depend on all of them. */
function hash(text: string): number {
  let mixed = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x0100_0193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb_352d);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
