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
