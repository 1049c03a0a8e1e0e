/** Text from a third-party list, safe to store and display. */
export interface CleanText {
  readonly text: string;
  /** Whether invisible characters were removed. */
  readonly cleaned: boolean;
}

/** A longer text is not a name. */
const MAX_NAME = 200;
/** Visible ASCII with single spaces between words. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/**
 * Removes control, direction, and zero-width characters and lone surrogates, and collapses spaces. Returns undefined if
 * nothing is left or the text is far too long.
 */
export function cleanText(raw: string, maxLength = MAX_NAME): CleanText | undefined {
  if (raw.length > maxLength * 8) return undefined;
  // A fast path for nearly all texts.
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

/** Whether a word mixes Latin letters with letters of a script that contains look-alikes. */
export function mixesScripts(text: string): boolean {
  if (PLAIN.test(text)) return false;
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).some(
    (word) =>
      /\p{Script=Latin}/u.test(word) &&
      /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(word),
  );
}

/** An http(s) URL that is safe to display; otherwise undefined. */
export function cleanUrl(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw.length > 500 || !/^https?:\/\//i.test(raw.trim())) {
    return undefined;
  }
  const text = raw.trim();
  if (/[\s\p{C}]/u.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).username === '' ? text : undefined;
}
