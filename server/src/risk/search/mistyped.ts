import { type Condition, within } from './collect.ts';
import { findTerm, type Range, termsWithPrefix } from './dictionary.ts';
import { keysEqualTo } from './nameKeys.ts';
import { termsOneEditAway, termsTwoEditsAway } from './nearTerms.ts';
import type { SearchData } from './searchData.ts';

/** One word of a query, and the words that it can stand for. */
interface Word {
  readonly text: string;
  readonly exact: number | undefined;
  readonly begun: Range;
  /** No name contains it, and no word starts with it. */
  readonly unknown: boolean;
  /** Words one mistake away, if this word can be mistyped. */
  readonly near: Uint32Array;
}

/** Interpretations of a mistyped query; a hit meets all conditions of one of them. */
export interface Mistyped {
  /** Entire names that differ from the query by one mistake. */
  readonly names: readonly (readonly Condition[])[];
  /** Words that differ by one mistake. */
  readonly words: readonly (readonly Condition[])[];
  /** The last resort if nothing else was found. */
  farther(): readonly (readonly Condition[])[];
}

const NO_TERMS = new Uint32Array(0);

/** A mistake is assumed in unknown words, or in any word if all are known. */
export function readMistyped(data: SearchData, texts: readonly string[]): Mistyped {
  const known = texts.map((text) => ({ text, ...lookUp(data, text) }));
  const someUnknown = known.some(({ unknown }) => unknown);
  const words = known.map((word): Word => {
    // Two letters with a mistake could be anything: only next to other words, and only if no name contains them.
    const mayErr =
      word.text.length > 2 ? word.unknown || !someUnknown : word.unknown && texts.length > 1;
    return { ...word, near: mayErr ? termsOneEditAway(data.dictionary, word.text) : NO_TERMS };
  });
  const respaced = respacings(data, words);
  return {
    names: [[within('key', NOTHING, nameKeysNear(data, words, respaced))]],
    words: [
      ...(someUnknown ? [words.map(readAsNear)] : oneByOne(words)),
      ...respaced.map((way) => way.conditions),
    ],
    farther: () => fartherWords(data, words),
  };
}

const NOTHING: Range = { low: 0, high: 0 };

function lookUp(data: SearchData, text: string) {
  const begun = termsWithPrefix(data.dictionary, text);
  return { exact: findTerm(data.dictionary, text), begun, unknown: begun.low === begun.high };
}

function readAsNear(word: Word): Condition {
  return word.unknown ? within('word', NOTHING, word.near) : within('word', word.begun);
}

function oneByOne(words: readonly Word[]): Condition[][] {
  const begun = words.map((word) => within('word', word.begun));
  return words.flatMap(({ near }, i) =>
    near.length === 0 ? [] : [begun.with(i, within('word', NOTHING, near))],
  );
}

/** A long word can have two mistakes. Next to longer words, one or two characters carry no information. */
function fartherWords(data: SearchData, words: readonly Word[]): Condition[][] {
  const someLong = words.some(({ text }) => text.length > 2);
  const conditions: Condition[] = [];
  for (const word of words) {
    if (word.text.length <= 2 && someLong) continue;
    if (!word.unknown || word.near.length > 0) {
      conditions.push(readAsNear(word));
      continue;
    }
    const terms = termsTwoEditsAway(data.dictionary, word.text);
    // Unlike any word, so the dictionary need not be read for the others.
    if (terms.length === 0) return [];
    conditions.push(within('word', NOTHING, terms));
  }
  return [conditions];
}

/** Entire names that equal the query with one word corrected, or with one space added or removed. */
function nameKeysNear(
  data: SearchData,
  words: readonly Word[],
  respaced: readonly Respacing[],
): Uint32Array {
  const found = new Set<number>();
  const take = (terms: readonly (number | undefined)[]) => {
    if (!terms.every((term) => term !== undefined)) return;
    const { low, high } = keysEqualTo(data.keys, terms);
    if (low < high) found.add(low);
  };
  const exact = words.map((word) => word.exact);
  for (const [i, { near }] of words.entries()) {
    if (exact.some((term, j) => j !== i && term === undefined)) continue;
    for (const term of near) take(exact.with(i, term));
  }
  for (const { terms } of respaced) take(terms);
  return Uint32Array.from(found).sort();
}

interface Respacing {
  readonly conditions: readonly Condition[];
  readonly terms: readonly (number | undefined)[];
}

/** "uni swap" for uniswap, "aavev3" for aave v3. */
function respacings(data: SearchData, words: readonly Word[]): Respacing[] {
  const ways: Respacing[] = [];
  const add = (i: number, removed: number, put: readonly Condition[], terms: Respacing['terms']) =>
    ways.push({
      conditions: words.map((word) => within('word', word.begun)).toSpliced(i, removed, ...put),
      terms: words.map((word) => word.exact).toSpliced(i, removed, ...terms),
    });
  for (let i = 0; i + 1 < words.length; i++) {
    const { exact, begun, unknown } = lookUp(data, words[i]!.text + words[i + 1]!.text);
    if (!unknown) add(i, 2, [within('word', begun)], [exact]);
  }
  for (const [i, { text, unknown }] of words.entries()) {
    if (!unknown) continue;
    for (let at = 1; at < text.length; at++) {
      const left = findTerm(data.dictionary, text.slice(0, at));
      const right = findTerm(data.dictionary, text.slice(at));
      if (left === undefined || right === undefined) continue;
      const put = [left, right].map((term) => within('word', { low: term, high: term + 1 }));
      add(i, 1, put, [left, right]);
    }
  }
  return ways;
}
