/** Control, bidirectional, invisible, and private-use characters, line separators, and lone surrogates. */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu;
/** Stacked combining marks overlap the adjacent lines. */
const PILES = /(\p{M}{2})\p{M}+/gu;

/** Makes an untrusted name, from a chain or a list, safe to show on one line. */
export function cleanText(text: string, most = 64): string {
  // Cut first: a name can have megabytes.
  const head = text.slice(0, most * 8);
  const clean = head.replace(HARMFUL, ' ').replace(PILES, '$1').replace(/\s+/g, ' ').trim();
  const signs = [...clean];
  if (signs.length <= most && head.length === text.length) return clean;
  return `${signs.slice(0, most - 1).join('')}…`;
}

/** Returns the URL if it is safe in a link (http or https); otherwise undefined. */
export function webAddress(url: string): string | undefined {
  return /^https?:\/\/[^\s]+$/.test(url) ? url : undefined;
}

/** Ends a message from elsewhere with a period, so that another sentence can follow. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export function shortAddress(address: string): string {
  return address.length <= 14 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
