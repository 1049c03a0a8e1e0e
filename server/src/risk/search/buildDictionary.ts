import { type Dictionary, letterOf } from './dictionary.ts';
import { sortSequences } from './sortSequences.ts';
import type { WordList } from './wordList.ts';

/** `words` are unique; `termOf` maps each to its term. */
export function buildDictionary(words: WordList): {
  dictionary: Dictionary;
  termOf: Uint32Array<ArrayBuffer>;
} {
  const count = words.starts.length - 1;
  const order = sortWords(words);
  const starts = new Uint32Array(count + 1);
  const units = new Uint16Array(words.units.length);
  const backwards = new Uint16Array(words.units.length);
  const letters = new Uint32Array(count);
  const termOf = new Uint32Array(count);
  for (let term = 0; term < count; term++) {
    const word = order[term]!;
    const from = words.starts[word]!;
    const start = starts[term]!;
    const end = start + words.starts[word + 1]! - from;
    let own = 0;
    for (let i = 0; start + i < end; i++) {
      const unit = words.units[from + i]!;
      units[start + i] = unit;
      backwards[end - 1 - i] = unit;
      own |= letterOf(unit);
    }
    starts[term + 1] = end;
    letters[term] = own;
    termOf[word] = term;
  }
  const bySuffix = sortWords({ units: backwards, starts });
  return { dictionary: { units, starts, letters, bySuffix }, termOf };
}

function sortWords({ units, starts }: WordList): Uint32Array<ArrayBuffer> {
  // Few of all possible units occur, so these are numbered, in ascending order.
  const numberOf = new Uint32Array(2 ** 16);
  for (let i = 0; i < units.length; i++) numberOf[units[i]!] = 1;
  let used = 0;
  for (let unit = 0; unit < numberOf.length; unit++)
    if (numberOf[unit] === 1) numberOf[unit] = used++;
  const numbers = new Uint32Array(units.length);
  for (let i = 0; i < units.length; i++) numbers[i] = numberOf[units[i]!]!;
  return sortSequences({ numbers, starts }, used);
}
