import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildDictionary } from './buildDictionary.ts';
import type { Dictionary } from './dictionary.ts';
import { termsOneEditAway, termsTwoEditsAway } from './nearTerms.ts';
import { unitsOf } from './units.ts';
import { createWords } from './wordList.ts';

const word = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', 'я'), minLength: 1, maxLength });

describe('nearTerms', () => {
  test('one mistake: the words that a full comparison finds', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word(6), { maxLength: 60 }), word(6), (given, query) => {
        const words = given.toSorted(byUnits);
        const found = [...termsOneEditAway(dictionaryOf(words), query)];
        const near = words.filter((other) => distance(other, query) === 1);
        expect(found.map((term) => words[term])).toEqual(query.length < 2 ? [] : near);
      }),
    );
  });

  test('two mistakes in a long word', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word(12), { maxLength: 60 }), word(12), (given, query) => {
        const words = [...new Set([...given, ...mistakes(query)])].sort(byUnits);
        const found = [...termsTwoEditsAway(dictionaryOf(words), query)];
        const near = words.filter((other) => distance(other, query) <= 2);
        expect(found.map((term) => words[term])).toEqual(query.length < 8 ? [] : near);
      }),
    );
  });

  test('behavior: an address that differs in one digit is another address', () => {
    const address = `0x${'ab'.repeat(10)}`;
    const dictionary = dictionaryOf([address]);
    expect(termsOneEditAway(dictionary, `${address.slice(0, -1)}c`)).toHaveLength(0);
    expect(termsTwoEditsAway(dictionary, `${address.slice(0, -1)}c`)).toHaveLength(0);
  });
});

function dictionaryOf(words: readonly string[]): Dictionary {
  const collected = createWords();
  for (const one of words) collected.add(unitsOf(one), 0, one.length);
  return buildDictionary(collected.finish()).dictionary;
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function mistakes(text: string): string[] {
  return [`c${text.slice(1)}1`, text.slice(2), `${text}ab`, `${text.slice(2)}1`].filter(Boolean);
}

/** Computes the optimal string alignment over UTF-16 units directly. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const options = [table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + same];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        options.push(table[i - 2]![j - 2]! + 1);
      table[i]![j] = Math.min(...options);
    }
  return table[a.length]![b.length]!;
}
