/** What a terminal would obey instead of showing it, or show elsewhere than it stands. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Text of others, on one line: a terminal must not obey it. */
export function plain(text: string): string {
  return text.replace(OBEYED, ' ').trim();
}
