import { getApySeries, getSharePriceSeries, getTvlSeries } from '@assay/client';
import type { AxisUnit } from '../chart/axis.ts';
import { type Line, rebase } from '../chart/line.ts';
import type { Interval } from '../chart/ranges.ts';
import type { ShownRange } from '../chart/shownRange.ts';
import {
  decimalText,
  exactAmount,
  exactUsd,
  percent,
  plainNumber,
  shortNumber,
  shortUsd,
  toNumber,
} from '../format/amount.ts';
import type { Cell } from '../format/csv.ts';
import { client } from '../state/api.ts';
import { type Benchmark, benchmarkText, readBenchmarkValues } from './benchmark.ts';

export const MEASURES = [
  ['tvl', 'TVL'],
  ['apy', 'APY'],
  ['price', 'Share price'],
] as const;
export type Measure = (typeof MEASURES)[number][0];
export type Unit = 'base' | 'usd';

/** A series ready to chart, list, and export. */
export interface ShownSeries {
  /** Title of the data shown, which can belong to an earlier selection: TVL (USDC), 30 d. */
  readonly title: string;
  /** File name. */
  readonly name: string;
  /** Unix seconds. */
  readonly times: readonly number[];
  /** The family and, if chosen, its benchmark. */
  readonly lines: readonly Line[];
  /** The exact values and their units, as exported. */
  readonly ticks: readonly {
    readonly at: string;
    readonly cells: readonly Cell[];
    readonly unit: string;
  }[];
  readonly measure: Measure;
  /** The API response. */
  readonly json: readonly { readonly at: string }[];
  /** Number of data points without a value in this unit. */
  readonly unknown: number;
}

export interface SeriesAsked {
  readonly slug: string;
  readonly measure: Measure;
  readonly unit: Unit;
  readonly range: ShownRange;
  readonly benchmark: Benchmark | undefined;
  readonly interval: Interval;
  readonly decimals: number;
  readonly symbol: string;
  /** In ms. */
  readonly now: number;
  readonly signal: AbortSignal;
}

interface Tick {
  readonly at: string;
  readonly value: number | null;
  readonly exact: string | null;
  readonly cell: Cell;
}

export async function readSeries(asked: SeriesAsked): Promise<ShownSeries> {
  const { slug, measure, unit, range, interval, now, signal } = asked;
  const query = { slug, signal, ...range.query(interval, now) };
  const amounts = 'bigint';
  if (measure === 'apy') {
    const json = await getApySeries(client, query);
    const ticks = json.map(({ at, value }) => {
      return { at, value, exact: percent(value, 4), cell: value };
    });
    return shown(asked, query, { ticks, json, format: (value) => percent(value) });
  }
  const tvl = measure === 'tvl' || unit === 'usd';
  const values = tvl ? await getTvlSeries(client, { ...query, amounts }) : [];
  if (measure === 'tvl') {
    const ticks = values.map(({ at, value, usd }) =>
      unit === 'usd' ? dollars(at, usd) : units(at, value, asked),
    );
    return shown(asked, query, { ticks, json: values, format: formatOf(asked) });
  }
  const prices = await getSharePriceSeries(client, { ...query, amounts });
  if (unit === 'base') {
    const ticks = prices.map(({ at, value }) => units(at, value, asked));
    return shown(asked, query, { ticks, json: prices, format: formatOf(asked) });
  }
  // The TVL in USD divided by the TVL gives the price of one base unit at that time.
  const worth = new Map(values.map(({ at, value, usd }) => [at, { value, usd }]));
  const ticks = prices.map(({ at, value }) => {
    const held = worth.get(at);
    if (!held || held.usd === null || held.value === 0n) return dollars(at, null);
    return dollars(at, Number(value) * (held.usd / Number(held.value)));
  });
  return shown(asked, query, { ticks, json: prices, format: formatOf(asked) });
}

function units(at: string, value: bigint, { decimals, symbol }: SeriesAsked): Tick {
  return {
    at,
    value: toNumber(value, decimals),
    exact: `${exactAmount(value, decimals)} ${symbol}`,
    cell: decimalText(value, decimals),
  };
}

function dollars(at: string, value: number | null): Tick {
  return { at, value, exact: value === null ? null : exactUsd(value), cell: value };
}

function formatOf({ measure, unit, symbol }: SeriesAsked): (value: number) => string {
  if (unit === 'usd') return measure === 'price' ? exactDollars : shortUsd;
  if (measure === 'price') return (value) => plainNumber(value, 6);
  return (value) => `${shortNumber(value)} ${symbol}`;
}

function axisOf({ measure, unit, symbol }: SeriesAsked): AxisUnit {
  if (measure === 'apy') return { unit: '% per year', factor: 100 };
  return { unit: unit === 'usd' ? 'USD' : symbol };
}

function exactDollars(value: number): string {
  return value >= 1000 ? shortUsd(value) : `$${plainNumber(value, 4)}`;
}

/** Returns a title such as "APY, 30 d" or "TVL (USDC), 7 d". */
export function seriesTitle({
  measure,
  unit,
  symbol,
  range,
  benchmark,
}: Pick<SeriesAsked, 'measure' | 'unit' | 'symbol' | 'range' | 'benchmark'>): string {
  const name = MEASURES.find(([key]) => key === measure)![1];
  if (benchmark && measure !== 'tvl') {
    const basis = measure === 'apy' ? '' : ' (start = 100)';
    return `${name}${basis} against ${benchmarkText(benchmark)}, ${range.name}`;
  }
  const inUnit = measure === 'apy' ? '' : ` (${unit === 'usd' ? 'USD' : symbol})`;
  return `${name}${inUnit}, ${range.name}`;
}

interface Read {
  readonly ticks: readonly Tick[];
  readonly json: readonly { readonly at: string }[];
  readonly format: (value: number) => string;
}

async function shown(
  asked: SeriesAsked,
  query: ReturnType<ShownRange['query']>,
  { ticks, json, format }: Read,
): Promise<ShownSeries> {
  const { slug, measure, unit, symbol, range, interval, benchmark, signal } = asked;
  const known = ticks.filter(({ value }) => value !== null);
  const shown = known.length === 0 ? [] : ticks;
  const times = shown.map(({ at }) => Math.floor(Date.parse(at) / 1000));
  const own: Line = {
    label: MEASURES.find(([key]) => key === measure)![1],
    values: shown.map(({ value }) => value),
    format,
    axis: axisOf(asked),
    exact: (index) => shown[index]?.exact ?? null,
  };
  const series = {
    title: seriesTitle(asked),
    times,
    measure,
    json,
    unknown: ticks.length - known.length,
  };
  const names = [slug, measure, unit === 'usd' && unit, range.key, interval !== 'auto' && interval];
  const name = (more: readonly string[] = []) => [...names, ...more].filter(Boolean).join('-');
  if (benchmark === undefined || measure === 'tvl') {
    const countedIn = measure === 'apy' ? 'fraction per year' : unit === 'usd' ? 'USD' : symbol;
    const rows = shown.map(({ at, cell }) => ({ at, cells: [cell], unit: countedIn }));
    return { ...series, name: name(), lines: [own], ticks: rows };
  }
  const values = await readBenchmarkValues({ benchmark, measure, times, query, signal });
  const lines = [
    measure === 'price'
      ? { ...rebasedLine(rebase(own.values)), label: slug }
      : { ...own, label: slug },
    measure === 'price' ? rebasedLine(values) : { ...own, values, exact: () => null },
  ] as const;
  const compared = [lines[0], { ...lines[1], label: benchmarkText(benchmark) }];
  return {
    ...series,
    name: name(['against', benchmarkText(benchmark)]),
    lines: compared,
    ticks: shown.map(({ at }, index) => ({
      at,
      cells: compared.map((line) => line.values[index] ?? null),
      unit: measure === 'price' ? 'index, 100 at start' : 'fraction per year',
    })),
  };
}

function rebasedLine(values: readonly (number | null)[]): Line {
  return {
    ...{ label: '', values, format: (value) => plainNumber(value, 3) },
    axis: { unit: 'start = 100' },
  };
}
