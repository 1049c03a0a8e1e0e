import { unitsOf } from './units.ts';

// Bounds what one absurdly long name can cost; real ones have fewer than 100 characters.
const MAX_UNITS = 512;
const MAX_WORDS = 32;

// Letters that Unicode does not decompose, though readers type their plain form.
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
};

/**
 * The words of a text in the form in which words are compared: decomposed, without diacritics and case, split at
 * everything that is neither letter nor digit. Letters of different scripts stay different, however alike they look.
 */
export function foldWords(text: string): string[] {
  const bounded = text.length > MAX_UNITS ? text.slice(0, MAX_UNITS) : text;
  const words = isAscii(bounded)
    ? bounded.toLowerCase().match(/[a-z0-9]+/g)
    : plain(bounded).match(/[\p{L}\p{N}\p{Mc}]+/gu);
  if (words === null) return signs(bounded);
  return words.length > MAX_WORDS ? words.slice(0, MAX_WORDS) : words;
}

/** Takes a word: a part of some units, good for as long as the call lasts. */
export type WordTaker = (units: Uint16Array, start: number, end: number) => void;

/** The same words, of ASCII texts without making strings of them. `units`: those of the text, which are overwritten. */
export function foldUnits(text: string, units: Uint16Array, take: WordTaker): void {
  if (text.length <= MAX_UNITS && foldAscii(units, text.length, take)) return;
  for (const word of foldWords(text)) take(unitsOf(word), 0, word.length);
}

/** ASCII letters, in lower case, and digits; 0 for all else. */
const FOLDED = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const letter = String.fromCharCode(unit).toLowerCase();
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0;
});

/** Returns false, without passing on a word, for text that needs the slow path. */
function foldAscii(units: Uint16Array, length: number, take: WordTaker): boolean {
  for (let i = 0; i < length; i++) if (units[i]! > 0x7f) return false;
  let words = 0;
  let start = 0;
  for (let i = 0; i <= length && words < MAX_WORDS; i++) {
    const folded = i < length ? FOLDED[units[i]!]! : 0;
    units[i] = folded;
    if (folded !== 0) continue;
    if (i > start) {
      take(units, start, i);
      words++;
    }
    start = i + 1;
  }
  return words > 0;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/\p{Mn}/gu, '')
    .replace(/[ßæœøłđðþıħ]/g, (letter) => PLAIN[letter]!);
}

/** A name that is nothing but signs is one word of them. */
function signs(text: string): string[] {
  const word = text.normalize('NFKC').replace(/[\p{C}\p{Z}\p{M}]/gu, '');
  return word === '' ? [] : [word];
}
