import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildDictionary } from './buildDictionary.ts';
import { unitsOf } from './units.ts';
import { createWords } from './wordList.ts';

// Includes units beyond Latin and surrogate pairs, because the order is that of UTF-16 units.
const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'z', '0', 'ÿ', 'я', '円', '\uff41', '🍣'),
  minLength: 1,
  maxLength: 6,
});

describe('buildDictionary', () => {
  test('each different word once, sorted from both ends, with the returned numbers', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 400 }), (given) => {
        const words = createWords();
        const numbers = given.map((one) => words.add(unitsOf(`-${one}`), 1, one.length + 1));
        const { dictionary, termOf } = buildDictionary(words.finish());
        const { units, starts, bySuffix } = dictionary;
        const terms = Array.from({ length: starts.length - 1 }, (_, term) =>
          String.fromCharCode(...units.subarray(starts[term], starts[term + 1])),
        );
        expect(terms).toEqual([...new Set(given)].sort());
        expect(numbers.map((number) => terms[termOf[number]!])).toEqual(given);
        const backwards = Array.from(bySuffix, (term) => terms[term]!.split('').reverse().join(''));
        expect(backwards).toEqual(backwards.toSorted());
        expect(new Set(bySuffix).size).toBe(terms.length);
      }),
    );
  });
});
