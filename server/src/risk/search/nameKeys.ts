import type { Range } from './dictionary.ts';
import { sortSequences } from './sortSequences.ts';

/**
 * Unique normalized names and symbols as the numbers of their words, sorted word by word. Words are numbered in
 * alphabetical order, so this is the order of the names, and a prefix of a name is a range of keys.
 */
export interface NameKeys {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly terms: Uint32Array<ArrayBuffer>;
}

/** Sorts names, and assigns one key to equal names; `keyOf` maps each name to its key. */
export function buildNameKeys(
  names: NameKeys,
  termCount: number,
): {
  keys: NameKeys;
  keyOf: Uint32Array<ArrayBuffer>;
} {
  const count = keyCount(names);
  const order = sortSequences({ numbers: names.terms, starts: names.starts }, termCount);
  const keyOf = new Uint32Array(count);
  const starts = new Uint32Array(count + 1);
  const terms = new Uint32Array(names.terms.length);
  let key = -1;
  let used = 0;
  for (let i = 0; i < count; i++) {
    const name = order[i]!;
    if (i === 0 || !isEqual(names, order[i - 1]!, name)) {
      const end = names.starts[name + 1]!;
      for (let at = names.starts[name]!; at < end; at++) terms[used++] = names.terms[at]!;
      starts[++key + 1] = used;
    }
    keyOf[name] = key;
  }
  return { keys: { starts: starts.slice(0, key + 2), terms: terms.slice(0, used) }, keyOf };
}

/** The key of exactly these words, as a range of one or none. */
export function keysEqualTo(keys: NameKeys, terms: readonly number[]): Range {
  const low = firstKey(keys, terms);
  return { low, high: isKeyAt(keys, low, terms) ? low + 1 : low };
}

/** The keys that start with `first` and continue with a word of the range. */
export function keysBeginning(keys: NameKeys, first: readonly number[], next: Range): Range {
  return {
    low: firstKey(keys, [...first, next.low]),
    high: firstKey(keys, [...first, next.high]),
  };
}

export function keyCount(keys: NameKeys): number {
  return keys.starts.length - 1;
}

function isEqual({ starts, terms }: NameKeys, a: number, b: number): boolean {
  const length = starts[a + 1]! - starts[a]!;
  if (starts[b + 1]! - starts[b]! !== length) return false;
  for (let i = 0; i < length; i++)
    if (terms[starts[a]! + i] !== terms[starts[b]! + i]) return false;
  return true;
}

/** The first key that is not before `terms`. */
function firstKey(keys: NameKeys, terms: readonly number[]): number {
  let low = 0;
  let high = keyCount(keys);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(keys, middle, terms)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore(keys: NameKeys, key: number, terms: readonly number[]): boolean {
  const start = keys.starts[key]!;
  const length = keys.starts[key + 1]! - start;
  for (let i = 0; i < terms.length; i++) {
    if (i === length) return true;
    const difference = keys.terms[start + i]! - terms[i]!;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function isKeyAt(keys: NameKeys, key: number, terms: readonly number[]): boolean {
  if (key >= keyCount(keys)) return false;
  const start = keys.starts[key]!;
  if (keys.starts[key + 1]! - start !== terms.length) return false;
  return terms.every((term, i) => keys.terms[start + i] === term);
}
