import { createNumbering } from './numbering.ts';
import { hashUnits } from './units.ts';

/** Words in UTF-16 units, concatenated in one block. */
export interface WordList {
  readonly units: Uint16Array<ArrayBuffer>;
  /** Start of each word, followed by the end of the last. */
  readonly starts: Uint32Array<ArrayBuffer>;
}

/** Collects unique words without creating strings. */
export interface Words {
  /** Returns the number of the word that is this range of units. */
  add(given: Uint16Array, start: number, end: number): number;
  finish(): WordList;
}

export function createWords(): Words {
  const numbers = createNumbering();
  let units = new Uint16Array(1 << 12);
  let starts = new Uint32Array(1 << 8);
  // The word that `isSame` compares.
  let asked: Uint16Array = units;
  let from = 0;
  let length = 0;

  function isAsked(number: number): boolean {
    const start = starts[number]!;
    if (starts[number + 1]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (units[start + i] !== asked[from + i]) return false;
    return true;
  }

  function append(number: number): void {
    const used = starts[number]!;
    if (used + length > units.length) {
      const larger = new Uint16Array((used + length) * 2);
      larger.set(units);
      units = larger;
    }
    if (number + 1 === starts.length) {
      const longer = new Uint32Array(starts.length * 2);
      longer.set(starts);
      starts = longer;
    }
    for (let i = 0; i < length; i++) units[used + i] = asked[from + i]!;
    starts[number + 1] = used + length;
  }

  return {
    add(given, start, end) {
      asked = given;
      from = start;
      length = end - start;
      const hash = hashUnits(given, start, end);
      const known = numbers.find(hash, isAsked);
      if (known !== undefined) return known;
      append(numbers.count);
      return numbers.add(hash);
    },
    finish: () => ({
      units: units.slice(0, starts[numbers.count]!),
      starts: starts.slice(0, numbers.count + 1),
    }),
  };
}
