import { JsonNumber, parseExactJson } from '../marketData/exactJson.ts';
import { readCsv } from './csv.ts';

/** One row of a legacy file: text as written, null if missing. */
export interface LegacyRecord {
  /** "line 12" or "entry [3]". */
  readonly place: string;
  readonly instant: string | null;
  readonly value: string | null;
  readonly usd: string | null;
  /** Why the entire row cannot be read. */
  readonly fault?: string;
}

/** The file does not contain a series. */
export class NoSeries extends Error {
  override readonly name = 'NoSeries';
  /** Empty for the entire file. */
  readonly place: string;

  constructor(message: string, place = '') {
    super(message);
    this.place = place;
  }
}

const INSTANT_NAMES = ['at', 'timestamp', 'date', 'time'];

/** Returns the rows of a JSON or CSV text, detected by its first character. Throws NoSeries. */
export function readRecords(text: string, series: 'apy' | 'tvl'): LegacyRecord[] {
  const content = text.replace(/^\uFEFF/, '');
  if (content.trim() === '') throw new NoSeries('the file is empty; name the file with the series');
  // Prefer the column of the series, because a file may contain both.
  const valueNames = [series, 'value'];
  return /^\s*[[{]/.test(content) ? readJson(content, valueNames) : readTable(content, valueNames);
}

function readJson(text: string, valueNames: readonly string[]): LegacyRecord[] {
  let list: unknown;
  try {
    list = parseExactJson(text);
  } catch {
    throw new NoSeries('the file is not valid JSON; export it again');
  }
  if (!Array.isArray(list)) throw new NoSeries('the file must hold a JSON array of objects');
  return list.map((entry: unknown, index): LegacyRecord => {
    const place = `entry [${index}]`;
    if (!isObject(entry)) return faulty(place, 'is not an object; write {"at": …, "value": …}');
    const fields = new Map(
      Object.entries(entry).map(([key, value]) => [key.toLowerCase(), asText(value)]),
    );
    return { place, ...pick(valueNames, (name) => fields.get(name)) };
  });
}

function isObject(value: unknown): value is object {
  const object = typeof value === 'object' && value !== null && !Array.isArray(value);
  return object && !(value instanceof JsonNumber);
}

function faulty(place: string, fault: string): LegacyRecord {
  return { place, instant: null, value: null, usd: null, fault };
}

/** Keeps objects and booleans recognizable in the error message. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? value.trim() : JSON.stringify(value);
}

function readTable(text: string, valueNames: readonly string[]): LegacyRecord[] {
  const { rows, unclosedLine } = readCsv(text);
  if (unclosedLine !== null) {
    throw new NoSeries('a quote is opened and never closed; close it', `line ${unclosedLine}`);
  }
  const [header, ...body] = rows;
  const names = (header?.fields ?? []).map((name) => name.trim().toLowerCase());
  const lacks = [INSTANT_NAMES, valueNames].filter(
    (any) => !any.some((name) => names.includes(name)),
  );
  if (lacks.length > 0) {
    const wanted = lacks.map((any) => any.join(' or ')).join(', and ');
    throw new NoSeries(
      `the header row must name a column ${wanted}; columns are separated by commas`,
      'line 1',
    );
  }
  return body.map(({ line, fields }): LegacyRecord => {
    const place = `line ${line}`;
    if (fields.length !== names.length) {
      const counts = `has ${fields.length} fields where the header has ${names.length}`;
      return faulty(place, `${counts}; correct it`);
    }
    const byName = (name: string) => {
      const column = names.indexOf(name);
      return column < 0 ? undefined : fields[column]!.trim();
    };
    return { place, ...pick(valueNames, byName) };
  });
}

function pick(
  valueNames: readonly string[],
  read: (name: string) => string | null | undefined,
): Omit<LegacyRecord, 'place'> {
  const first = (names: readonly string[]) =>
    names.map(read).find((text) => text !== undefined && text !== null) ?? null;
  return { instant: first(INSTANT_NAMES), value: first(valueNames), usd: read('usd') ?? null };
}
