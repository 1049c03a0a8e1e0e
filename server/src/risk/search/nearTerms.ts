import {
  type Dictionary,
  findTerm,
  lettersOf,
  placesWithSuffix,
  termCount,
  termsWithPrefix,
} from './dictionary.ts';

// Longer words are pasted, not typed; and an address that differs by one digit is another address.
const MAX_LENGTH = 32;
const ADDRESS_LIKE = /^0x[0-9a-f]{8,}$/;
/** From this length on, a word can have two mistakes. */
const LONG = 8;

/**
 * Returns the words one typing mistake away (a letter wrong, missing, or added, or two adjacent letters swapped), in
 * ascending order. One mistake leaves one half of the word intact, unless it swaps the letters where the halves meet.
 */
export function termsOneEditAway(dictionary: Dictionary, word: string): Uint32Array {
  if (!mayBeMistyped(word, 2)) return new Uint32Array(0);
  const half = word.length >> 1;
  const letters = lettersOf(word);
  const found: number[] = [];
  const take = (term: number) => {
    const length = dictionary.starts[term + 1]! - dictionary.starts[term]!;
    if (length > word.length + 1 || length < word.length - 1) return;
    if (bits(dictionary.letters[term]! ^ letters) > 2) return;
    if (isOneEdit(dictionary, term, word)) found.push(term);
  };
  const start = termsWithPrefix(dictionary, word.slice(0, half));
  for (let term = start.low; term < start.high; term++) take(term);
  const end = placesWithSuffix(dictionary, word.slice(half));
  for (let place = end.low; place < end.high; place++) take(dictionary.bySuffix[place]!);
  const swapped = findTerm(
    dictionary,
    word.slice(0, half - 1) + word[half]! + word[half - 1]! + word.slice(half + 1),
  );
  if (swapped !== undefined) take(swapped);
  return ascending(found);
}

/** Returns the words at most two mistakes away from a long word. Compares the letters of every word: a last resort. */
export function termsTwoEditsAway(dictionary: Dictionary, word: string): Uint32Array {
  if (!mayBeMistyped(word, LONG)) return new Uint32Array(0);
  const letters = lettersOf(word);
  const { starts } = dictionary;
  const found: number[] = [];
  const count = termCount(dictionary);
  for (let term = 0; term < count; term++) {
    if (bits(dictionary.letters[term]! ^ letters) > 4) continue;
    const length = starts[term + 1]! - starts[term]!;
    if (length > word.length + 2 || length < word.length - 2) continue;
    if (distanceAtMost(dictionary, term, word, 2)) found.push(term);
  }
  return ascending(found);
}

function mayBeMistyped(word: string, shortest: number): boolean {
  return word.length >= shortest && word.length <= MAX_LENGTH && !ADDRESS_LIKE.test(word);
}

/** Lengths differ by at most one. The word itself is not included. */
function isOneEdit({ units, starts }: Dictionary, term: number, word: string): boolean {
  const start = starts[term]!;
  const length = starts[term + 1]! - start;
  const shorter = Math.min(length, word.length);
  let head = 0;
  while (head < shorter && units[start + head] === word.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    units[start + length - 1 - tail] === word.charCodeAt(word.length - 1 - tail)
  )
    tail++;
  if (length !== word.length) return head + tail === shorter;
  if (head + tail === length - 1) return true;
  return (
    head + tail === length - 2 &&
    units[start + head] === word.charCodeAt(head + 1) &&
    units[start + head + 1] === word.charCodeAt(head)
  );
}

const rows = [0, 1, 2].map(() => new Uint8Array(MAX_LENGTH + 1));

/** Optimal string alignment; stops as soon as an entire row exceeds the limit. */
function distanceAtMost(
  { units, starts }: Dictionary,
  term: number,
  word: string,
  limit: number,
): boolean {
  const start = starts[term]!;
  const length = starts[term + 1]! - start;
  let [before, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= word.length; j++) last[j] = j;
  for (let i = 1; i <= length; i++) {
    const unit = units[start + i - 1]!;
    row[0] = i;
    let smallest = i;
    for (let j = 1; j <= word.length; j++) {
      const other = word.charCodeAt(j - 1);
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (unit === other ? 0 : 1));
      const swapped =
        i > 1 && j > 1 && unit === word.charCodeAt(j - 2) && units[start + i - 2] === other;
      if (swapped) cost = Math.min(cost, before[j - 2]! + 1);
      row[j] = cost;
      if (cost < smallest) smallest = cost;
    }
    if (smallest > limit) return false;
    [before, last, row] = [last, row, before];
  }
  return last[word.length]! <= limit;
}

function bits(value: number): number {
  const pairs = value - ((value >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Removes duplicates: both halves of a word can be intact. */
function ascending(terms: readonly number[]): Uint32Array {
  return Uint32Array.from(new Set(terms)).sort();
}
