import { getApySeries, getSharePriceSeries, getTvlSeries } from '@assay/client';
import type { Line } from '../chart/line.ts';
import { type Interval, type Range, rangeName, seriesQuery } from '../chart/ranges.ts';
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
  readonly line: Line;
  /** The exact values and their units, as exported. */
  readonly ticks: readonly { readonly at: string; readonly cell: Cell; readonly unit: string }[];
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
  readonly range: Range;
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
  const query = { slug, signal, ...seriesQuery(range, interval, now) };
  const amounts = 'bigint';
  if (measure === 'apy') {
    const json = await getApySeries(client, query);
    const ticks = json.map(({ at, value }) => {
      return { at, value, exact: percent(value, 4), cell: value };
    });
    return shown(asked, ticks, json, (value) => percent(value));
  }
  const tvl = measure === 'tvl' || unit === 'usd';
  const values = tvl ? await getTvlSeries(client, { ...query, amounts }) : [];
  if (measure === 'tvl') {
    const ticks = values.map(({ at, value, usd }) =>
      unit === 'usd' ? dollars(at, usd) : units(at, value, asked),
    );
    return shown(asked, ticks, values, formatOf(asked));
  }
  const prices = await getSharePriceSeries(client, { ...query, amounts });
  if (unit === 'base') {
    const ticks = prices.map(({ at, value }) => units(at, value, asked));
    return shown(asked, ticks, prices, formatOf(asked));
  }
  // The TVL in USD divided by the TVL gives the price of one base unit at that time.
  const worth = new Map(values.map(({ at, value, usd }) => [at, { value, usd }]));
  const ticks = prices.map(({ at, value }) => {
    const held = worth.get(at);
    if (!held || held.usd === null || held.value === 0n) return dollars(at, null);
    return dollars(at, Number(value) * (held.usd / Number(held.value)));
  });
  return shown(asked, ticks, prices, formatOf(asked));
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

function exactDollars(value: number): string {
  return value >= 1000 ? shortUsd(value) : `$${plainNumber(value, 4)}`;
}

/** Returns a title such as "APY, 30 d" or "TVL (USDC), 7 d". */
export function seriesTitle({
  measure,
  unit,
  symbol,
  range,
}: Pick<SeriesAsked, 'measure' | 'unit' | 'symbol' | 'range'>): string {
  const name = MEASURES.find(([key]) => key === measure)![1];
  const inUnit = measure === 'apy' ? '' : ` (${unit === 'usd' ? 'USD' : symbol})`;
  return `${name}${inUnit}, ${rangeName(range)}`;
}

function shown(
  asked: SeriesAsked,
  ticks: readonly Tick[],
  json: readonly { readonly at: string }[],
  format: (value: number) => string,
): ShownSeries {
  const { slug, measure, unit, symbol, range, interval } = asked;
  const known = ticks.filter(({ value }) => value !== null);
  const kept = known.length === 0 ? [] : ticks;
  const countedIn = measure === 'apy' ? 'fraction per year' : unit === 'usd' ? 'USD' : symbol;
  return {
    title: seriesTitle(asked),
    name: [slug, measure, unit === 'usd' && unit, range, interval !== 'auto' && interval]
      .filter(Boolean)
      .join('-'),
    times: kept.map(({ at }) => Math.floor(Date.parse(at) / 1000)),
    line: {
      label: MEASURES.find(([key]) => key === measure)![1],
      values: kept.map(({ value }) => value),
      format,
      exact: (index) => kept[index]?.exact ?? null,
    },
    measure,
    ticks: kept.map(({ at, cell }) => ({ at, cell, unit: countedIn })),
    json,
    unknown: ticks.length - known.length,
  };
}
