import { unitsOf } from './units.ts';

// Limits the cost of an absurdly long name; real names have fewer than 100 characters.
const MAX_UNITS = 512;
const MAX_WORDS = 32;

// Letters that Unicode does not decompose, although users type their plain form.
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
 * Splits text into normalized words: decomposed, without diacritics, in lower case, split at everything that is neither
 * a letter nor a digit. Letters of different scripts stay different, even if they look alike.
 */
export function foldWords(text: string): string[] {
  const bounded = text.length > MAX_UNITS ? text.slice(0, MAX_UNITS) : text;
  const words = isAscii(bounded)
    ? bounded.toLowerCase().match(/[a-z0-9]+/g)
    : plain(bounded).match(/[\p{L}\p{N}\p{Mc}]+/gu);
  if (words === null) return signs(bounded);
  return words.length > MAX_WORDS ? words.slice(0, MAX_WORDS) : words;
}

/** Receives a word as a range of units, which are valid only during the call. */
export type WordTaker = (units: Uint16Array, start: number, end: number) => void;

/** The same for ASCII text, without creating strings. `units`: the units of the text, which are overwritten. */
export function foldUnits(text: string, units: Uint16Array, take: WordTaker): void {
  if (text.length <= MAX_UNITS && foldAscii(units, text.length, take)) return;
  for (const word of foldWords(text)) take(unitsOf(word), 0, word.length);
}

/** ASCII letters in lower case, and digits; 0 for everything else. */
const FOLDED = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const letter = String.fromCharCode(unit).toLowerCase();
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0;
});

/** Returns false, before passing on a word, if the text needs the slow path. */
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

/** A name of nothing but symbols is one word. */
function signs(text: string): string[] {
  const word = text.normalize('NFKC').replace(/[\p{C}\p{Z}\p{M}]/gu, '');
  return word === '' ? [] : [word];
}
