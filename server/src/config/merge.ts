import { isDeepStrictEqual } from 'node:util';
import type { ConfigDocument } from './document.ts';
import { type ConfigProblem, joinPath, type Place, parentPath, seenFrom } from './problem.ts';
import { isObject } from './shape.ts';

/** One file of a folder. */
export interface Part {
  readonly file: string;
  readonly document: ConfigDocument;
}

/** A part, and the path of a value in it. */
interface Origin {
  readonly part: Part;
  readonly path: string;
}

/**
 * Merges several files into one document. Lists at the top, such as families, are concatenated; mappings are merged
 * by key. Any other value may be in several files only if it is the same in all.
 */
export function mergeDocuments(parts: readonly Part[]): ConfigDocument {
  const origins = new Map<string, Origin>();
  const problems: ConfigProblem[] = parts.flatMap(({ file, document }) =>
    document.problems.map((problem) => ({ ...problem, file })),
  );
  const value: Record<string, unknown> = {};
  for (const part of parts) {
    const own = part.document.value;
    // An empty file adds nothing; the problem of an unreadable file is already known.
    if (own === null || own === undefined) continue;
    if (isObject(own)) mergeInto(value, own, part, '');
    else fail({ part, path: '' }, 'the file must contain keys with values, such as families');
  }

  function fail(origin: Origin, message: string): void {
    problems.push({ ...placeIn(origin), message });
  }

  function mergeInto(
    into: Record<string, unknown>,
    from: Record<string, unknown>,
    part: Part,
    path: string,
  ): void {
    for (const [key, next] of Object.entries(from)) {
      const keyPath = joinPath(path, key);
      const origin = { part, path: keyPath };
      if (path === '' && Array.isArray(next)) appendList(into, key, next, origin);
      else if (!Object.hasOwn(into, key)) {
        origins.set(keyPath, origin);
        // A copy, because a later file may add keys to it.
        into[key] = isObject(next) ? copyKeys(next, part, keyPath) : next;
      } else if (isObject(into[key]) && isObject(next)) mergeInto(into[key], next, part, keyPath);
      else if (!isDeepStrictEqual(into[key], next)) failTwice(keyPath, origin);
    }
  }

  function copyKeys(from: Record<string, unknown>, part: Part, path: string) {
    const copy: Record<string, unknown> = {};
    mergeInto(copy, from, part, path);
    return copy;
  }

  function appendList(
    into: Record<string, unknown>,
    key: string,
    next: readonly unknown[],
    origin: Origin,
  ): void {
    if (!Object.hasOwn(into, key)) {
      origins.set(key, origin);
      into[key] = [];
    }
    const list = into[key];
    if (!Array.isArray(list)) {
      failTwice(key, origin);
      return;
    }
    next.forEach((item, index) => {
      origins.set(joinPath(key, list.length), { ...origin, path: joinPath(key, index) });
      list.push(item);
    });
  }

  function failTwice(path: string, origin: Origin): void {
    const other = seenFrom(placeIn(origin), placeOf(path));
    fail(origin, `is given with another value in ${other}; keep one of the two`);
  }

  function originOf(path: string): Origin | undefined {
    for (let at = path; at !== ''; at = parentPath(at)) {
      const origin = origins.get(at);
      if (origin !== undefined) return { ...origin, path: origin.path + path.slice(at.length) };
    }
    return undefined;
  }

  /** A key that is in no file, such as a missing list, is reported for the folder. */
  function placeOf(path: string): Place {
    const origin = originOf(path);
    return origin === undefined ? { line: null, path } : placeIn(origin);
  }

  return {
    value: parts.every(({ document }) => document.value === undefined) ? undefined : value,
    placeOf,
    isFromEnvironment(path) {
      const origin = originOf(path);
      return origin?.part.document.isFromEnvironment(origin.path) ?? false;
    },
    problems,
  };
}

function placeIn({ part, path }: Origin): Place {
  return { ...part.document.placeOf(path), file: part.file };
}
