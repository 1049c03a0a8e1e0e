import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { ConfigDocument } from './document.ts';
import { findNearest } from './nearest.ts';
import { type ConfigProblem, joinPath } from './problem.ts';

/** The parts of a schema that the check walks through; TypeBox validates the rest. */
interface SchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly anyOf?: readonly SchemaNode[];
  readonly format?: string;
  readonly writeOnly?: boolean;
  readonly errorMessage?: string;
  readonly examples?: readonly unknown[];
}

/**
 * Finds every value that does not match the schema. TypeBox's own errors are not used: they stop at a fixed number,
 * list every branch of a union, and refer to the schema rather than to the file.
 */
export function findShapeProblems(schema: TSchema, document: ConfigDocument): ConfigProblem[] {
  const problems: ConfigProblem[] = [];

  function fail(path: string, message: string): void {
    problems.push({ ...document.placeOf(path), message });
  }

  function check(node: SchemaNode, value: unknown, path: string): void {
    // Its problem is already known: see document.ts.
    if (value === undefined) return;
    if (node.properties) checkObject(node, node.properties, value, path);
    else if (node.patternProperties) checkRecord(node, node.patternProperties, value, path);
    else if (node.items) checkList(node, node.items, value, path);
    else if (!isRight(node, value)) fail(path, wrong(node, value, path));
  }

  function checkObject(
    node: SchemaNode,
    properties: Readonly<Record<string, SchemaNode>>,
    value: unknown,
    path: string,
  ): void {
    const keys = Object.keys(properties);
    if (!isObject(value)) {
      const subject = path === '' ? 'the file ' : '';
      fail(path, `${subject}must contain ${listWords(keys)}${shown(node, value, path)}`);
      return;
    }
    for (const key of Object.keys(value)) {
      const known = properties[key];
      if (known === undefined || !Object.hasOwn(properties, key)) {
        fail(joinPath(path, key), unknownKey(key, keys, path));
        continue;
      }
      value[key] = asNumber(known, value[key], joinPath(path, key));
      check(known, value[key], joinPath(path, key));
    }
    const missing = (node.required ?? []).filter((key) => !Object.hasOwn(value, key));
    if (missing.length === 0) return;
    const misspelt = Object.keys(value).map((key) => findNearest(key, keys));
    for (const key of missing) {
      if (misspelt.includes(key)) continue;
      const example = JSON.stringify(exampleOf(properties[key]!));
      fail(joinPath(path, key), `is missing; add it, for example ${key}: ${example}`);
    }
  }

  function checkRecord(
    node: SchemaNode,
    patterns: Readonly<Record<string, SchemaNode>>,
    value: unknown,
    path: string,
  ): void {
    if (!isObject(value)) {
      fail(path, `must contain names with their entries${shown(node, value, path)}`);
      return;
    }
    for (const key of Object.keys(value)) {
      const match = Object.keys(patterns).find((pattern) => new RegExp(pattern).test(key));
      if (match === undefined) fail(joinPath(path, key), `${node.errorMessage}; rename it`);
      else check(patterns[match]!, value[key], joinPath(path, key));
    }
  }

  function checkList(node: SchemaNode, items: SchemaNode, value: unknown, path: string): void {
    if (!Array.isArray(value) || value.length < (node.minItems ?? 0)) {
      fail(path, wrong(node, value, path));
      return;
    }
    value.forEach((item: unknown, index) => {
      check(items, item, joinPath(path, index));
    });
  }

  /** Environment variables are text: convert one that is a number if a number is required. */
  function asNumber(node: SchemaNode, value: unknown, path: string): unknown {
    if (node.type !== 'integer' && node.type !== 'number') return value;
    if (typeof value !== 'string' || !document.isFromEnvironment(path)) return value;
    return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  }

  /** What is right, what was found, and the rest of the advice. */
  function wrong(node: SchemaNode, value: unknown, path: string): string {
    const [right = '', ...advice] = (node.errorMessage ?? 'is invalid').split('; ');
    return [`${right}${shown(node, value, path)}`, ...advice].join('; ');
  }

  function shown(node: SchemaNode, value: unknown, path: string): string {
    if (value === null) return '; give it a value or remove the key';
    if (Array.isArray(value)) return value.length === 0 ? ', not an empty list' : ', not a list';
    if (isObject(value)) return node.anyOf ? '' : ', not a mapping';
    if (node.writeOnly || document.isFromEnvironment(path)) return '; its value is not shown here';
    // A long value was probably set on the wrong key, and may be a secret.
    const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
    return text.length <= 60 && !text.includes('://') ? `, not ${text}` : '';
  }

  check(schema as SchemaNode, document.value, '');
  return problems;
}

function isRight(node: SchemaNode, value: unknown): boolean {
  if (!Value.Check(node as TSchema, value)) return false;
  return !node.format?.endsWith('uri') || value === '' || URL.canParse(String(value));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function exampleOf(node: SchemaNode): unknown {
  if (node.examples) return node.examples[0];
  if (node.items) return node.minItems ? [exampleOf(node.items)] : [];
  const required = (node.required ?? []).map((key) => [key, exampleOf(node.properties![key]!)]);
  return Object.fromEntries(required);
}

function unknownKey(key: string, known: readonly string[], path: string): string {
  if (key === '<<') return 'is not supported; write the keys out instead of merging them';
  const nearest = findNearest(key, known);
  if (nearest !== undefined) return `is not a known key; did you mean ${nearest}?`;
  const where = path === '' ? 'the file' : path;
  return `is not a known key; ${where} may contain ${listWords(known)}`;
}

function listWords(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
