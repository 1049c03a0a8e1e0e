import type { Decimal } from '../../domain/amount.ts';
import { parseDecimal, scaleExactly } from '../../domain/decimalText.ts';
import type { Seconds } from '../../domain/time.ts';
import { readInstant } from './legacyInstant.ts';
import { type LegacyRecord, NoSeries, readRecords } from './legacyRecords.ts';

export interface ApyPoint {
  readonly at: Seconds;
  /** A fraction: 0.045 is 4.5 %. */
  readonly value: number;
}

export interface TvlPoint {
  readonly at: Seconds;
  /** Base units. */
  readonly value: bigint;
  readonly usd: number | null;
}

interface Source {
  /** Named in messages. */
  readonly file: string;
  readonly text: string;
  /** Nothing may lie after it. */
  readonly now: Seconds;
}

export interface LegacyProblem {
  /** "line 12" or "entry [3]"; empty for the file as a whole. */
  readonly place: string;
  readonly message: string;
}

/** Every row that cannot be imported. Nothing may be imported with it. */
export class LegacyFileInvalid extends Error {
  override readonly name = 'LegacyFileInvalid';
  readonly file: string;
  readonly problems: readonly LegacyProblem[];

  constructor(file: string, problems: readonly LegacyProblem[]) {
    const shown = problems.slice(0, 20).map(({ place, message }) => {
      return place === '' ? `${file}: ${message}` : `${file}: ${place}: ${message}`;
    });
    const more = problems.length - shown.length;
    super([...shown, ...(more > 0 ? [`${file}: and ${more} more`] : [])].join('\n'));
    this.file = file;
    this.problems = problems;
  }
}

/** The previous backend's APY series, JSON or CSV, ascending. With `percent`, 4.5 in the file is 4.5 %. */
export function parseApyFile(source: Source & { percent: boolean }): ApyPoint[] {
  return parseFile(source, 'apy', (record, number) => {
    // Divided in the text, so that 4.5 % is exactly what 0.045 would be.
    const value = Number(`${number.value}e-${number.decimals + (source.percent ? 2 : 0)}`);
    if (!Number.isFinite(value) || value <= -1) {
      throw new BadRow(`${record.text} is no APY: it must be a number above -1 (-100 %)`);
    }
    return { value };
  });
}

/** The previous backend's TVL series, JSON or CSV, ascending. With `decimals`, values are decimal amounts. */
export function parseTvlFile(source: Source & { decimals: number | null }): TvlPoint[] {
  return parseFile(source, 'tvl', (record, number) => {
    if (number.value < 0n) throw new BadRow(`${record.text} is below zero; correct it`);
    const value = scaleExactly(number, source.decimals ?? 0);
    if (value === undefined || value >= 10n ** 78n) {
      throw new BadRow(
        source.decimals === null
          ? `${record.text} is not in whole base units; for decimal amounts add --decimals N`
          : `${record.text} does not fit ${source.decimals} decimals; correct it or --decimals`,
      );
    }
    return { value, usd: readUsd(record.usd) };
  });
}

type Value = { value: number | bigint; usd?: number | null };

function parseFile<V extends Value>(
  { file, text, now }: Source,
  series: 'apy' | 'tvl',
  readValue: (record: LegacyRecord & { text: string }, number: Decimal) => V,
): (V & { at: Seconds })[] {
  const problems: LegacyProblem[] = [];
  const found = new Map<Seconds, { point: V & { at: Seconds }; place: string }>();
  for (const record of getRecords(file, text, series)) {
    try {
      if (record.fault !== undefined) throw new BadRow(record.fault);
      const at = readInstant(record.instant, now);
      if (typeof at !== 'number') throw new BadRow(at.message);
      const written = record.value ?? '';
      const number = parseDecimal(written);
      if (number === undefined) {
        throw new BadRow(`its ${series} is ${shown(written)}; write a number`);
      }
      const point = { ...readValue({ ...record, text: written }, number), at };
      const earlier = found.get(at);
      found.set(at, earlier ? merge(earlier, point) : { point, place: record.place });
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      problems.push({ place: record.place, message: error.message });
    }
  }
  if (problems.length > 0) throw new LegacyFileInvalid(file, problems);
  return [...found.values()].map(({ point }) => point).sort((a, b) => a.at - b.at);
}

function getRecords(file: string, text: string, series: 'apy' | 'tvl'): LegacyRecord[] {
  try {
    return readRecords(text, series);
  } catch (error) {
    if (!(error instanceof NoSeries)) throw error;
    throw new LegacyFileInvalid(file, [{ place: error.place, message: error.message }]);
  }
}

class BadRow extends Error {}

/** The same instant twice is one point, as long as both say the same. */
function merge<P extends Value>(earlier: { point: P; place: string }, point: P) {
  const [a, b] = [earlier.point.usd ?? null, point.usd ?? null];
  if (earlier.point.value !== point.value || (a !== null && b !== null && a !== b)) {
    throw new BadRow(
      `has the instant of ${earlier.place} but another value; remove one of the two`,
    );
  }
  return a === null ? { point, place: earlier.place } : earlier;
}

function readUsd(text: string | null): number | null {
  if (text === null || text === '') return null;
  const number = parseDecimal(text);
  if (number === undefined || number.value < 0n) {
    throw new BadRow(`its usd is ${shown(text)}; write a number of 0 or more, or leave it empty`);
  }
  return Number(text);
}

function shown(text: string): string {
  return text === '' ? 'missing' : JSON.stringify(text.slice(0, 60));
}
