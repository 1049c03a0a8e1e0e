import { type Condition, collect, within } from './collect.ts';
import { findTerm, termsWithPrefix } from './dictionary.ts';
import type { Filter } from './filter.ts';
import { readMistyped } from './mistyped.ts';
import { keysBeginning, keysEqualTo } from './nameKeys.ts';
import type { SearchData } from './searchData.ts';
import { TopRanks } from './topRanks.ts';

/** Each word adds another interpretation of the query, so this limits the cost of a search. */
const MAX_MISTYPED_WORDS = 8;

/** Hits so far, best first, and the requested number. */
export interface Found {
  readonly ranks: number[];
  readonly limit: number;
}

/** Names and symbols as written: entire, by prefix, by words, by prefixes of words. */
export function findSpelled(
  data: SearchData,
  words: readonly string[],
  filter: Filter,
  found: Found,
): void {
  const exact = words.map((word) => findTerm(data.dictionary, word));
  const begun = words.map((word) => termsWithPrefix(data.dictionary, word));
  const all = exact.every((term) => term !== undefined) ? exact : undefined;
  const first = exact.slice(0, -1);
  if (all !== undefined)
    addTier(data, [[within('key', keysEqualTo(data.keys, all))]], filter, found);
  if (first.every((term) => term !== undefined)) {
    const keys = keysBeginning(data.keys, first, begun.at(-1)!);
    addTier(data, [[within('key', keys)]], filter, found);
  }
  if (all !== undefined) {
    const conditions = all.map((term) => within('word', { low: term, high: term + 1 }));
    addTier(data, [conditions], filter, found);
  }
  addTier(data, [begun.map((range) => within('word', range))], filter, found);
}

/** Names with typing mistakes. */
export function findMistyped(
  data: SearchData,
  words: readonly string[],
  filter: Filter,
  found: Found,
): void {
  if (found.ranks.length >= found.limit || words.length > MAX_MISTYPED_WORDS) return;
  const mistyped = readMistyped(data, words);
  addTier(data, mistyped.names, filter, found);
  addTier(data, mistyped.words, filter, found);
  if (found.ranks.length === 0) addTier(data, mistyped.farther(), filter, found);
}

/** Appends the best hits of any of the alternatives. */
function addTier(
  data: SearchData,
  alternatives: readonly (readonly Condition[])[],
  filter: Filter,
  found: Found,
): void {
  const wanted = found.limit - found.ranks.length;
  if (wanted <= 0) return;
  const top = new TopRanks(wanted, found.ranks);
  for (const conditions of alternatives) collect(data, conditions, filter, top);
  found.ranks.push(...top.ranks);
}
