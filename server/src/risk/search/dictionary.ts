/** Unique words of all names and symbols, sorted by UTF-16 units, so that words with one prefix are adjacent. */
export interface Dictionary {
  /** All words, concatenated. */
  readonly units: Uint16Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  /** The letters of each word, folded into 32 bits; an edit changes at most two of them. */
  readonly letters: Uint32Array<ArrayBuffer>;
  /** Word numbers sorted by the reversed words, so that words with one suffix are adjacent. */
  readonly bySuffix: Uint32Array<ArrayBuffer>;
}

/** Numbers from `low` up to, but not including, `high`. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

export function termCount(dictionary: Dictionary): number {
  return dictionary.starts.length - 1;
}

export function findTerm(dictionary: Dictionary, word: string): number | undefined {
  const term = firstTerm(dictionary, word, false);
  if (term === termCount(dictionary)) return undefined;
  const length = dictionary.starts[term + 1]! - dictionary.starts[term]!;
  return length === word.length && comparePrefix(dictionary, term, word) === 0 ? term : undefined;
}

/** Returns the words that start with `prefix`. */
export function termsWithPrefix(dictionary: Dictionary, prefix: string): Range {
  return { low: firstTerm(dictionary, prefix, false), high: firstTerm(dictionary, prefix, true) };
}

/** Returns the words that end with `suffix`, as indexes of `bySuffix`. */
export function placesWithSuffix(dictionary: Dictionary, suffix: string): Range {
  return { low: firstPlace(dictionary, suffix, false), high: firstPlace(dictionary, suffix, true) };
}

export function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= letterOf(word.charCodeAt(i));
  return letters >>> 0;
}

/** One bit: a to z have one each; digits and all other units share the remaining six. */
export function letterOf(unit: number): number {
  return 1 << (unit >= 97 && unit <= 122 ? unit - 97 : 26 + (unit % 6));
}

/** Returns the first word that is not before `prefix`; with `after`, the first word behind all that start with it. */
function firstTerm(dictionary: Dictionary, prefix: string, after: boolean): number {
  let low = 0;
  let high = termCount(dictionary);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = comparePrefix(dictionary, middle, prefix);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstPlace(dictionary: Dictionary, suffix: string, after: boolean): number {
  let low = 0;
  let high = dictionary.bySuffix.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareSuffix(dictionary, dictionary.bySuffix[middle]!, suffix);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Negative if the word is before all that start with `prefix`, 0 if it starts with it. */
function comparePrefix({ units, starts }: Dictionary, term: number, prefix: string): number {
  const start = starts[term]!;
  const length = starts[term + 1]! - start;
  for (let i = 0; i < prefix.length; i++) {
    if (i === length) return -1;
    const difference = units[start + i]! - prefix.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareSuffix({ units, starts }: Dictionary, term: number, suffix: string): number {
  const end = starts[term + 1]!;
  const length = end - starts[term]!;
  for (let i = 1; i <= suffix.length; i++) {
    if (i > length) return -1;
    const difference = units[end - i]! - suffix.charCodeAt(suffix.length - i);
    if (difference !== 0) return difference;
  }
  return 0;
}
