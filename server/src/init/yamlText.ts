import { getAddress } from 'viem';

/** Quoted where YAML would read a number or a word of its own. */
export function word(text: string): string {
  const plain = /^[a-z][a-z0-9-]*$/.test(text) && !/^(true|false|null)$/.test(text);
  return plain ? text : quoted(text);
}

export function address(value: string): string {
  return `"${getAddress(value)}"`;
}

/** A text of the chain may look like an environment reference; ours are meant as such. */
export function quoted(text: string, { raw = false } = {}): string {
  return JSON.stringify(raw ? text : text.replaceAll('${', () => '$${'));
}

/** What a token calls itself may hold anything; a comment ends with its line. */
export function comment(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 80);
}
