import { getAddress } from 'viem';

/** Quotes text that YAML would read as a number or a keyword. */
export function word(text: string): string {
  const plain = /^[a-z][a-z0-9-]*$/.test(text) && !/^(true|false|null)$/.test(text);
  return plain ? text : quoted(text);
}

export function address(value: string): string {
  return `"${getAddress(value)}"`;
}

/** Text from the chain may look like an environment reference; our own references must stay. */
export function quoted(text: string, { raw = false } = {}): string {
  return JSON.stringify(raw ? text : text.replaceAll('${', () => '$${'));
}

/** The name of a token may contain anything; a comment ends with its line. */
export function comment(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 80);
}
