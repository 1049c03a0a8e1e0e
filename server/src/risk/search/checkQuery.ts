import type { Parsed } from './comparison.ts';

export const MAX_QUERY_CHARACTERS = 128;

/** Returns the trimmed text to search for, or why it is rejected. Length is in code points: an emoji is one. */
export function checkQuery(text: string): Parsed<string> {
  const value = text.trim();
  if (value === '') return { ok: false, reason: 'must not be empty' };
  // A code point has at most two units, so this avoids counting a huge text.
  if (value.length > 2 * MAX_QUERY_CHARACTERS || [...value].length > MAX_QUERY_CHARACTERS)
    return { ok: false, reason: `must have at most ${MAX_QUERY_CHARACTERS} characters` };
  if (/[*%]/.test(value))
    return { ok: false, reason: 'takes no wildcards: * and % are not allowed' };
  return { ok: true, value };
}
