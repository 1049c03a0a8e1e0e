import type { ConfigDocument } from '../document.ts';
import { findNearest } from '../nearest.ts';
import { type ConfigProblem, joinPath, seenFrom } from '../problem.ts';
import { isObject } from '../shape.ts';
import { type Entry, entries, numbers, strings } from './entries.ts';

/** The file with the names that it defines, and what every check needs to report a problem. */
export interface Review {
  readonly document: ConfigDocument;
  readonly file: Record<string, unknown>;
  readonly families: readonly Entry[];
  readonly slugs: readonly string[];
  readonly problems: readonly ConfigProblem[];
  fail(path: string, message: string): void;
  /** Describes the location of `other` in a message at `path`, for example "families[0] (line 4)". */
  otherPlace(path: string, other: string, named?: string): string;
  checkUnique(list: readonly Entry[], key: string, what: string): void;
  checkChain(chainId: unknown, path: string): void;
  checkName(name: unknown, known: readonly string[], path: string, what: string): void;
}

/** The checks assume nothing and skip malformed values: the check of the shape reports those. */
export function createReview(document: ConfigDocument): Review {
  const problems: ConfigProblem[] = [];
  const file = isObject(document.value) ? document.value : {};
  const chains = entries(file, 'chains');
  const chainIds = numbers(chains.map(({ entry }) => entry.id));
  const chainsKnown =
    chainIds.length > 0 &&
    chainIds.length === chains.length &&
    chainIds.every((id) => Number.isSafeInteger(id) && id > 0);
  const families = entries(file, 'families');
  const slugs = [...new Set(strings(families.map(({ entry }) => entry.slug)))];
  return {
    document,
    file,
    families,
    slugs,
    problems,
    fail,
    otherPlace,
    checkUnique,
    checkChain,
    checkName,
  };

  function fail(path: string, message: string): void {
    problems.push({ ...document.placeOf(path), message });
  }

  function otherPlace(path: string, other: string, named = other): string {
    const where = seenFrom(document.placeOf(path), document.placeOf(other));
    return `${document.placeOf(named).path} (${where})`;
  }

  function checkUnique(list: readonly Entry[], key: string, what: string): void {
    const first = new Map<unknown, string>();
    for (const { entry, path } of list) {
      const value = entry[key];
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const normal = typeof value === 'string' ? value.toLowerCase() : value;
      const earlier = first.get(normal);
      if (earlier === undefined) first.set(normal, path);
      else {
        const change = `remove one of the two or change its ${key}`;
        const other = otherPlace(joinPath(path, key), joinPath(earlier, key), earlier);
        fail(joinPath(path, key), `is the same ${what} as ${other}; ${change}`);
      }
    }
  }

  function checkChain(chainId: unknown, path: string): void {
    // If the id of a chain is invalid, it is unknown which chain is meant.
    if (typeof chainId !== 'number' || chainIds.includes(chainId) || !chainsKnown) return;
    const fix = `add a chain with id ${chainId} there, or use one of ${listSome(chainIds.map(String))}`;
    fail(path, `is ${chainId}, which is not listed under chains; ${fix}`);
  }

  function checkName(name: unknown, known: readonly string[], path: string, what: string): void {
    if (typeof name !== 'string' || known.includes(name)) return;
    const nearest = findNearest(name, known);
    const fix =
      nearest !== undefined
        ? `did you mean ${nearest}?`
        : known.length > 0
          ? `known are ${listSome(known)}`
          : 'none is defined; add it or remove this key';
    const shown = document.isFromEnvironment(path)
      ? 'names'
      : `is ${JSON.stringify(name)}, which is`;
    fail(path, `${shown} not a ${what}; ${fix}`);
  }
}

/** Thousands of names would hide the message. */
function listSome(names: readonly string[], most = 30): string {
  const shown = names.slice(0, most).join(', ');
  return names.length <= most ? shown : `${shown} and ${names.length - most} more`;
}
