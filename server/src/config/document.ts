import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { type ConfigProblem, joinPath, type Place, parentPath } from './problem.ts';
import { resolveReferences } from './references.ts';
import type { Environment } from './variables.ts';

/** A YAML file, or a folder of them, as plain values, with the location of each key and every YAML error. */
export interface ConfigDocument {
  readonly value: unknown;
  /** Where a key is; if it has no line, that of the nearest key around it. */
  placeOf(path: string): Place;
  /** Whether the value came from the environment: then it is never printed. */
  isFromEnvironment(path: string): boolean;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Aliases can expand a small file without limit. Only values from an alias count: the file itself may be of any
 * length.
 */
const MAX_ALIASED_VALUES = 50_000;
const MAX_DEPTH = 40;

/** Our own messages: the parser's quote the file, which may contain a key. */
const YAML_MISTAKES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'this line is indented with a tab; YAML requires spaces',
  DUPLICATE_KEY: 'this key is given twice; keep one of the two',
  BAD_INDENT: 'the indentation does not fit the lines above; align it with them',
  MISSING_CHAR: 'a character is missing, such as a closing quote, bracket or a colon; add it',
  MULTIPLE_DOCS: 'a second document starts here; keep one, without a --- line',
  BAD_ALIAS: 'is an alias without an anchor; define the anchor above it or write the value out',
  MULTILINE_IMPLICIT_KEY: 'a key spans several lines; check the quotes and colons above',
  BAD_DQ_ESCAPE: 'a backslash in double quotes starts an unknown escape; use single quotes',
  UNEXPECTED_TOKEN: 'this is not valid YAML; check quotes, colons, and brackets',
};

/** The parser recovers from these errors; after any other, its errors in later lines are unreliable. */
const CONTAINED = new Set(['DUPLICATE_KEY', 'BAD_ALIAS', 'BAD_DQ_ESCAPE', 'TAB_AS_INDENT']);

export function readDocument(text: string, env: Environment): ConfigDocument {
  const problems: ConfigProblem[] = [];
  const lines = new Map<string, number>();
  const fromEnvironment = new Set<string>();
  const lineCounter = new LineCounter();
  let targets: ReadonlyMap<unknown, unknown> = new Map();
  let aliased = 0;

  function lineAt(node: unknown): number | undefined {
    const start = (node as Node | null | undefined)?.range?.[0];
    return start === undefined ? undefined : lineCounter.linePos(start).line;
  }

  function lineOf(path: string): number | null {
    const line = lines.get(path);
    if (line !== undefined || path === '') return line ?? null;
    return lineOf(parentPath(path));
  }

  function fail(path: string, message: string): undefined {
    problems.push({ line: lineOf(path), path, message });
    return undefined;
  }

  /** `alias` is the path of the outermost alias around the node; null: the node is written out. */
  function convert(node: unknown, path: string, depth: number, alias: string | null): unknown {
    if (alias !== null) aliased++;
    if (aliased > MAX_ALIASED_VALUES) throw new TooLarge(alias!, ALIASES);
    if (depth > MAX_DEPTH) throw alias === null ? TOO_DEEP : new TooLarge(alias, ALIASES_TOO_DEEP);
    if (isAlias(node)) {
      const target = targets.get(node);
      if (target === undefined) return fail(path, YAML_MISTAKES.BAD_ALIAS!);
      return convert(target, path, depth + 1, alias ?? path);
    }
    if (isMap(node)) return convertMap(node, path, depth, alias);
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        const itemPath = joinPath(path, index);
        const line = lineAt(item);
        if (line !== undefined) lines.set(itemPath, line);
        return convert(item, itemPath, depth + 1, alias);
      });
    }
    return isScalar(node) ? convertScalar(node, path) : null;
  }

  function convertMap(map: YAMLMap, path: string, depth: number, alias: string | null): unknown {
    const object: Record<string, unknown> = {};
    for (const pair of map.items) {
      if (!isScalar(pair.key)) {
        fail(path, 'has a key that is not a word; write keys as plain words');
        continue;
      }
      const key = String(pair.key.value);
      const keyPath = joinPath(path, key);
      const valueLine = isScalar(pair.value) && pair.value.source ? lineAt(pair.value) : undefined;
      const line = valueLine ?? lineAt(pair.key);
      if (line !== undefined) lines.set(keyPath, line);
      // Assigning it would change the object's prototype instead of adding a key.
      if (key === '__proto__') fail(keyPath, 'is not a known key; remove it');
      else object[key] = convert(pair.value, keyPath, depth + 1, alias);
    }
    return object;
  }

  function convertScalar(scalar: Scalar, path: string): unknown {
    const { value, source } = scalar;
    // YAML reads unquoted addresses as hexadecimal numbers, which would lose digits.
    if (typeof value === 'number' && source !== undefined && /^0x/i.test(source)) return source;
    if (typeof value !== 'string' || !value.includes('$')) return value;
    const resolved = resolveReferences(value, env);
    if (resolved.used) fromEnvironment.add(path);
    for (const message of resolved.problems) fail(path, message);
    if (resolved.problems.length > 0) return undefined;
    return resolved.text;
  }

  let value: unknown;
  try {
    const document = parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      uniqueKeys: true,
      // Values such as `port: 010` or dates keep their YAML 1.2 meaning.
      version: '1.2',
      strict: true,
    });
    for (const mistake of [...document.errors, ...document.warnings]) {
      const line = lineCounter.linePos(mistake.pos[0]).line;
      const message = YAML_MISTAKES[mistake.code] ?? YAML_MISTAKES.UNEXPECTED_TOKEN!;
      // Further errors of the parser in the same line follow from the first.
      if (problems.some((known) => known.line === line)) continue;
      problems.push({ line, path: '', message });
      if (!CONTAINED.has(mistake.code)) break;
    }
    const line = lineAt(document.contents);
    if (line !== undefined) lines.set('', line);
    if (document.errors.length === 0) {
      targets = aliasTargets(document);
      value = convert(document.contents, '', 0, null);
    }
  } catch (error) {
    // The parser recurses: a file nested thousands of levels deep ends in a RangeError.
    if (!(error instanceof TooLarge) && !(error instanceof RangeError)) throw error;
    const { path, message } = error instanceof TooLarge ? error : TOO_DEEP;
    problems.push({ line: path === '' ? null : lineOf(path), path, message });
  }
  return {
    value,
    placeOf: (path) => ({ line: lineOf(path), path }),
    isFromEnvironment: (path) => fromEnvironment.has(path),
    problems,
  };
}

/** The target of each alias. The parser's own search scans the entire file for each of them. */
function aliasTargets(document: Document): Map<unknown, unknown> {
  const anchors = new Map<string, unknown>();
  const targets = new Map<unknown, unknown>();
  visit(document, {
    Alias: (_, alias) => void targets.set(alias, anchors.get(alias.source)),
    Value(_, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

class TooLarge extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

const ALIASES = `repeats too much: the aliases of a file may add at most ${MAX_ALIASED_VALUES} values; write the values out`;
const ALIASES_TOO_DEEP = `is an alias that contains itself, or nests more than ${MAX_DEPTH} levels deep; write the values out`;
const TOO_DEEP = new TooLarge(
  '',
  `the file is nested more than ${MAX_DEPTH} levels deep; flatten it`,
);
