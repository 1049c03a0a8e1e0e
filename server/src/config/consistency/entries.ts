import { joinPath } from '../problem.ts';
import { isObject } from '../shape.ts';

/** An object in a list of the file, with its path. */
export interface Entry {
  readonly entry: Record<string, unknown>;
  readonly path: string;
}

/** Returns the objects of a list. Other values are skipped: the check of the shape reports them. */
export function entries(object: Record<string, unknown>, key: string, path = ''): Entry[] {
  const list = object[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, index) =>
    isObject(entry) ? [{ entry, path: joinPath(joinPath(path, key), index) }] : [],
  );
}

export function numbers(values: readonly unknown[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

export function strings(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

/** Returns an object of the file, or an empty one. */
export function objectAt(object: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = object[key];
  return isObject(value) ? value : {};
}
