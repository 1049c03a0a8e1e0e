/** Controls, marks that turn the direction of what follows, invisible signs, line ends, halves of characters. */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu;
/** Accents piled up on one letter paint over the lines around it. */
const PILES = /(\p{M}{2})\p{M}+/gu;

/** A name from a chain or a list, fit to be shown in one line. Anybody can write such names. */
export function cleanText(text: string, most = 64): string {
  // What is cut off need not be looked at: a name may have megabytes.
  const head = text.slice(0, most * 8);
  const clean = head.replace(HARMFUL, ' ').replace(PILES, '$1').replace(/\s+/g, ' ').trim();
  const signs = [...clean];
  if (signs.length <= most && head.length === text.length) return clean;
  return `${signs.slice(0, most - 1).join('')}…`;
}

/** A web address that may stand in a link; undefined for any other, such as javascript: */
export function webAddress(url: string): string | undefined {
  return /^https?:\/\/[^\s]+$/.test(url) ? url : undefined;
}

export function shortAddress(address: string): string {
  return address.length <= 14 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
