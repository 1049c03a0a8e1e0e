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
  type YAMLMap,
} from 'yaml';
import { type ConfigProblem, joinPath } from './problem.ts';
import { resolveReferences } from './references.ts';

/** A YAML file as plain values, with the line of each key and every mistake of the YAML itself. */
export interface ConfigDocument {
  readonly value: unknown;
  /** Line of a key, or of the nearest key around it. */
  lineOf(path: string): number | null;
  /** Whether the value came from the environment: then it is never printed. */
  isFromEnvironment(path: string): boolean;
  readonly problems: readonly ConfigProblem[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Aliases can make a small file explode; a real file has a few thousand values. */
const MAX_VALUES = 50_000;
const MAX_DEPTH = 40;

/** Our own words: the parser's messages quote the file, and the file may hold a key. */
const YAML_MISTAKES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'this line is indented with a tab; YAML wants spaces',
  DUPLICATE_KEY: 'this key is given twice; keep one of the two',
  BAD_INDENT: 'the indentation does not fit the lines above; align it with them',
  MISSING_CHAR: 'a character is missing, such as a closing quote, bracket or a colon; add it',
  MULTIPLE_DOCS: 'a second document starts here; keep one, without a --- line',
  BAD_ALIAS: 'is an alias of no anchor; define the anchor above it or write the value out',
  MULTILINE_IMPLICIT_KEY: 'a key goes over several lines; check the quotes and colons above',
  BAD_DQ_ESCAPE: 'a backslash in double quotes starts no known escape; use single quotes',
  UNEXPECTED_TOKEN: 'something is not YAML here; check quotes, colons and brackets',
};

/** The parser goes on unharmed after these; after any other, what it says of later lines is a guess. */
const CONTAINED = new Set(['DUPLICATE_KEY', 'BAD_ALIAS', 'BAD_DQ_ESCAPE', 'TAB_AS_INDENT']);

export function readDocument(text: string, env: Environment): ConfigDocument {
  const problems: ConfigProblem[] = [];
  const lines = new Map<string, number>();
  const fromEnvironment = new Set<string>();
  const lineCounter = new LineCounter();
  let values = 0;

  function lineAt(node: unknown): number | undefined {
    const start = (node as Node | null | undefined)?.range?.[0];
    return start === undefined ? undefined : lineCounter.linePos(start).line;
  }

  function lineOf(path: string): number | null {
    const line = lines.get(path);
    if (line !== undefined || path === '') return line ?? null;
    return lineOf(path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('['))));
  }

  function fail(path: string, message: string): undefined {
    problems.push({ line: lineOf(path), path, message });
    return undefined;
  }

  function convert(node: unknown, path: string, depth: number, document: Document): unknown {
    values++;
    if (values > MAX_VALUES || depth > MAX_DEPTH) throw new TooLarge();
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target === undefined) return fail(path, YAML_MISTAKES.BAD_ALIAS!);
      return convert(target, path, depth + 1, document);
    }
    if (isMap(node)) return convertMap(node, path, depth, document);
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        const itemPath = joinPath(path, index);
        const line = lineAt(item);
        if (line !== undefined) lines.set(itemPath, line);
        return convert(item, itemPath, depth + 1, document);
      });
    }
    return isScalar(node) ? convertScalar(node, path) : null;
  }

  function convertMap(map: YAMLMap, path: string, depth: number, document: Document): unknown {
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
      else object[key] = convert(pair.value, keyPath, depth + 1, document);
    }
    return object;
  }

  function convertScalar(scalar: Scalar, path: string): unknown {
    const { value, source } = scalar;
    // Unquoted addresses look like hexadecimal numbers to YAML and would lose their digits.
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
      // Keys such as `port: 010` or dates stay what YAML 1.2 says they are.
      version: '1.2',
      strict: true,
    });
    for (const mistake of [...document.errors, ...document.warnings]) {
      const line = lineCounter.linePos(mistake.pos[0]).line;
      const message = YAML_MISTAKES[mistake.code] ?? YAML_MISTAKES.UNEXPECTED_TOKEN!;
      // What the parser says further of the same line follows from the first mistake.
      if (problems.some((known) => known.line === line)) continue;
      problems.push({ line, path: '', message });
      if (!CONTAINED.has(mistake.code)) break;
    }
    const line = lineAt(document.contents);
    if (line !== undefined) lines.set('', line);
    if (document.errors.length === 0) value = convert(document.contents, '', 0, document);
  } catch (error) {
    // The parser recurses: a file nested thousands deep ends in a RangeError.
    if (!(error instanceof TooLarge) && !(error instanceof RangeError)) throw error;
    const message =
      'the file is nested too deep or repeats itself by aliases; write it out plainly';
    problems.push({ line: null, path: '', message });
  }
  return { value, lineOf, isFromEnvironment: (path) => fromEnvironment.has(path), problems };
}

class TooLarge extends Error {}
