import { findNearest } from '../config/nearest.ts';
import { UsageError } from './usageError.ts';

/**
 * Finds the command at the start of these words. A name may have two words, as `risk import`; both are required then.
 */
export function findCommand<Name extends string>(
  words: readonly string[],
  names: readonly Name[],
): { readonly name: Name; readonly rest: readonly string[] } {
  const [first = '', second = ''] = words;
  const pair = names.find((name) => name === `${first} ${second}`);
  if (pair !== undefined) return { name: pair, rest: words.slice(2) };
  const single = names.find((name) => name === first);
  if (single !== undefined) return { name: single, rest: words.slice(1) };
  const below = names.filter((name) => name.startsWith(`${first} `));
  if (below.length > 0) throw unknownBelow(first, second, below);
  const nearest = findNearest(first, [...firstWords(names), 'help', '--version', '--help']);
  const advice = nearest ? `did you mean ${nearest}?` : '"assay help" lists them all';
  throw new UsageError(`unknown command ${JSON.stringify(first)}; ${advice}`);
}

function unknownBelow(first: string, second: string, below: readonly string[]): UsageError {
  if (second === '' || second.startsWith('-')) {
    return new UsageError(`${first} needs a command: ${below.join(', ')}`);
  }
  const asked = `${first} ${second}`;
  const nearest = findNearest(asked, below);
  const advice = nearest ? `did you mean ${nearest}?` : `known: ${below.join(', ')}`;
  return new UsageError(`unknown command ${JSON.stringify(asked)}; ${advice}`);
}

function firstWords(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.split(' ')[0]!))];
}
