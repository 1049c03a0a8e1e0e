/** A text of a foreign list, fit to be stored and shown. */
export interface CleanText {
  readonly text: string;
  /** Something invisible was taken out of it. */
  readonly cleaned: boolean;
}

/** Longer is no name. */
const MAX_NAME = 200;
/** Visible ASCII with single spaces between words. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/**
 * Without control, direction and zero-width characters and lone surrogates, spaces made one; undefined when nothing is
 * left or it is far too long.
 */
export function cleanText(raw: string, maxLength = MAX_NAME): CleanText | undefined {
  if (raw.length > maxLength * 8) return undefined;
  // Nearly all of them, without the cost of the rest.
  if (raw.length <= maxLength && PLAIN.test(raw)) return { text: raw, cleaned: false };
  const visible = raw.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, (sign) =>
    /\s/.test(sign) ? ' ' : '',
  );
  const text = visible
    .normalize('NFC')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .trim();
  if (text === '' || text.length > maxLength) return undefined;
  const spaced = raw
    .normalize('NFC')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .trim();
  return { text, cleaned: text !== spaced || /[\p{Cc}]/u.test(raw.trim()) };
}

/** Whether one word mixes Latin letters with those of a script that holds look-alikes of them. */
export function mixesScripts(text: string): boolean {
  if (PLAIN.test(text)) return false;
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).some(
    (word) =>
      /\p{Script=Latin}/u.test(word) &&
      /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(word),
  );
}

/** An http(s) address fit to be shown, else undefined. */
export function cleanUrl(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw.length > 500 || !/^https?:\/\//i.test(raw.trim())) {
    return undefined;
  }
  const text = raw.trim();
  if (/[\s\p{C}]/u.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).username === '' ? text : undefined;
}
