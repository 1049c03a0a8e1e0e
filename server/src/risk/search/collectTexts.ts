import { buildDictionary } from './buildDictionary.ts';
import { type Dictionary, termCount } from './dictionary.ts';
import { foldUnits, type WordTaker } from './fold.ts';
import { createGrowingNumbers } from './growingNumbers.ts';
import { buildNameKeys, type NameKeys } from './nameKeys.ts';
import { createNumbering } from './numbering.ts';
import { createStringPacker, isStringAt, type PackedStrings } from './packedStrings.ts';
import { NONE } from './searchData.ts';
import { hashUnits, unitsOf } from './units.ts';
import { createWords } from './wordList.ts';

/** Unique texts. */
export interface Texts {
  /** Returns the number of the text. */
  add(text: string): number;
  finish(): PackedStrings;
}

/** `expected`: estimated number of texts. `onNew` may overwrite the units. */
export function createTexts(
  expected?: number,
  onNew?: (text: string, units: Uint16Array) => void,
): Texts {
  const packer = createStringPacker(expected);
  const numbers = createNumbering();
  // The text that `isSame` compares.
  let asked = '';
  let askedUnits = unitsOf(asked);
  const isAsked = (index: number) => isStringAt(packer.strings, index, asked, askedUnits);
  return {
    add(text) {
      const units = unitsOf(text);
      const hash = hashUnits(units, 0, text.length);
      asked = text;
      askedUnits = units;
      const known = numbers.find(hash, isAsked);
      if (known !== undefined) return known;
      packer.add(text, units);
      onNew?.(text, units);
      return numbers.add(hash);
    },
    finish: packer.finish,
  };
}

export interface CollectedNames {
  readonly texts: PackedStrings;
  readonly dictionary: Dictionary;
  readonly keys: NameKeys;
  /** The key of each text, or NONE for a text without words. */
  readonly keyOfText: Uint32Array<ArrayBuffer>;
}

export interface Names {
  add(name: string): number;
  finish(): CollectedNames;
}

/** Names and their words, which are renumbered once all are known. */
export function createNames(expected: number): Names {
  const words = createWords();
  const starts = createGrowingNumbers(expected);
  const terms = createGrowingNumbers(expected * 6);
  const take: WordTaker = (units, start, end) => terms.push(words.add(units, start, end));
  starts.push(0);
  const texts = createTexts(expected, (text, units) => {
    foldUnits(text, units, take);
    starts.push(terms.length);
  });
  return {
    add: texts.add,
    finish() {
      const { dictionary, termOf } = buildDictionary(words.finish());
      const names = { starts: starts.view(), terms: terms.view() };
      for (let i = 0; i < names.terms.length; i++) names.terms[i] = termOf[names.terms[i]!]!;
      const { keys, keyOf } = buildNameKeys(names, termCount(dictionary));
      for (let text = 0; text < keyOf.length; text++)
        if (names.starts[text] === names.starts[text + 1]) keyOf[text] = NONE;
      return { texts: texts.finish(), dictionary, keys, keyOfText: keyOf };
    },
  };
}
