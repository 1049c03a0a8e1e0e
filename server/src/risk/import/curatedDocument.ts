import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type Document, LineCounter, parseDocument } from 'yaml';

export interface CuratedProblem {
  /** Line in the file, from 1. */
  readonly line: number | null;
  /** Such as protocols[0].facts[1].audits; empty for the entire file. */
  readonly path: string;
  readonly message: string;
}

export interface CuratedDocument {
  readonly value: unknown;
  readonly problems: readonly CuratedProblem[];
  lineOf(path: readonly (string | number)[]): number | null;
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly errorMessage?: string;
}

type Path = readonly (string | number)[];

/** Parses YAML into plain values, and returns every place that is not valid YAML or does not match the schema. */
export function readCuratedText(text: string, schema: TSchema): CuratedDocument {
  const lines = new LineCounter();
  let parsed: Document | undefined;
  const problems: CuratedProblem[] = [];
  let value = readPlainJson(text);
  if (value === undefined) {
    for (const error of document().errors) {
      const message = 'this is not YAML; check quotes, colons, brackets and indentation';
      problems.push({ line: lines.linePos(error.pos[0]).line, path: '', message });
    }
    if (problems.length > 0) return { value: undefined, problems, lineOf };
    try {
      value = document().toJS({ maxAliasCount: 100 });
    } catch {
      const message = 'it repeats itself by aliases; write it out plainly';
      return { value: undefined, problems: [{ line: null, path: '', message }], lineOf };
    }
  }
  check(schema as SchemaNode, value, []);
  return { value, problems, lineOf };

  function document(): Document {
    parsed ??= parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      // An unquoted address is not a number.
      customTags: (tags) =>
        tags.filter((tag) => typeof tag === 'string' || !('format' in tag) || tag.format !== 'HEX'),
    });
    return parsed;
  }

  function lineOf(path: Path): number | null {
    const node = document().getIn(path, true) as
      | { range?: [number, ...number[]] | null }
      | undefined;
    const start = node?.range?.[0];
    if (start !== undefined) return lines.linePos(start).line;
    return path.length === 0 ? null : lineOf(path.slice(0, -1));
  }

  function fail(path: Path, message: string): void {
    problems.push({ line: lineOf(path), path: pathText(path), message });
  }

  function check(node: SchemaNode, found: unknown, path: Path): void {
    if (node.properties) checkObject(node, node.properties, found, path);
    else if (node.items) checkList(node, node.items, found, path);
    else if (!Value.Check(node as TSchema, found)) fail(path, node.errorMessage ?? 'is not right');
  }

  function checkObject(
    node: SchemaNode,
    properties: Readonly<Record<string, SchemaNode>>,
    found: unknown,
    path: Path,
  ): void {
    const keys = Object.keys(properties);
    if (typeof found !== 'object' || found === null || Array.isArray(found)) {
      fail(path, `must hold ${keys.join(', ')}`);
      return;
    }
    for (const [key, inner] of Object.entries(found)) {
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (known === undefined) fail([...path, key], `is not a known key; use ${keys.join(', ')}`);
      else check(known, inner, [...path, key]);
    }
    for (const key of node.required ?? []) {
      if (!Object.hasOwn(found, key)) fail([...path, key], 'is missing; add it');
    }
  }

  function checkList(node: SchemaNode, items: SchemaNode, found: unknown, path: Path): void {
    if (!Array.isArray(found) || found.length === 0) {
      fail(path, node.errorMessage ?? 'must be a list');
      return;
    }
    found.forEach((item, index) => {
      check(items, item, [...path, index]);
    });
  }
}

/**
 * Parses JSON as a program writes it, 50 times as fast as the YAML parser. Everything else, including JSON with
 * duplicate keys, is left to the YAML parser.
 */
function readPlainJson(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

export function pathText(path: Path): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${key}`))
    .join('');
}
