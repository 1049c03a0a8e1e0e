import { buildDictionary, type Dictionary } from './dictionary.ts';
import { foldWords } from './fold.ts';
import { createGrowingNumbers } from './growingNumbers.ts';
import { buildNameKeys, type NameKeys } from './nameKeys.ts';
import { createStringPacker, type PackedStrings } from './packedStrings.ts';
import { NONE } from './searchData.ts';

/** Each different text once. */
export interface Texts {
  /** The number of the text. */
  add(text: string): number;
  finish(): PackedStrings;
}

export function createTexts(onNew?: (text: string) => void): Texts {
  const packer = createStringPacker();
  const seen = new Map<string, number>();
  return {
    add(text) {
      let index = seen.get(text);
      if (index === undefined) {
        index = packer.add(text);
        seen.set(text, index);
        onNew?.(text);
      }
      return index;
    },
    finish: packer.finish,
  };
}

export interface Names {
  add(name: string): number;
  finish(): {
    readonly texts: PackedStrings;
    readonly dictionary: Dictionary;
    readonly keys: NameKeys;
    /** By text: its key, or NONE for a text without words. */
    readonly keyOfText: Uint32Array<ArrayBuffer>;
  };
}

/** Names and their words, which get their final numbers when all are known. */
export function createNames(): Names {
  const termOf = new Map<string, number>();
  const starts = createGrowingNumbers();
  const terms = createGrowingNumbers();
  starts.push(0);
  const texts = createTexts((text) => {
    for (const word of foldWords(text)) {
      let term = termOf.get(word);
      if (term === undefined) {
        term = termOf.size;
        termOf.set(word, term);
      }
      terms.push(term);
    }
    starts.push(terms.length);
  });
  return {
    add: texts.add,
    finish() {
      const words = [...termOf.keys()].sort();
      const numberOf = new Uint32Array(words.length);
      for (let number = 0; number < words.length; number++)
        numberOf[termOf.get(words[number]!)!] = number;
      const names = { starts: starts.finish(), terms: terms.finish() };
      for (let i = 0; i < names.terms.length; i++) names.terms[i] = numberOf[names.terms[i]!]!;
      const { keys, keyOf } = buildNameKeys(names);
      for (let text = 0; text < keyOf.length; text++)
        if (names.starts[text] === names.starts[text + 1]) keyOf[text] = NONE;
      return { texts: texts.finish(), dictionary: buildDictionary(words), keys, keyOfText: keyOf };
    },
  };
}
