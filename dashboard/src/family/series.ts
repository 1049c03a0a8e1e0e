import { getApySeries, getSharePriceSeries, getTvlSeries } from '@assay/client';
import type { Line } from '../chart/line.ts';
import { type Interval, type Range, seriesQuery } from '../chart/ranges.ts';
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

/** A series ready to be drawn, listed and saved. */
export interface ShownSeries {
  /** Unix seconds. */
  readonly times: readonly number[];
  readonly line: Line;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** As the API answered. */
  readonly json: unknown;
  /** Ticks that have no value in this unit. */
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
  // The value's own price at that instant: what one base unit of it was worth.
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

function shown(
  { measure, unit, symbol }: SeriesAsked,
  ticks: readonly Tick[],
  json: unknown,
  format: (value: number) => string,
): ShownSeries {
  const known = ticks.filter(({ value }) => value !== null);
  const kept = known.length === 0 ? [] : ticks;
  const label = measure === 'apy' ? 'APY' : measure === 'tvl' ? 'TVL' : 'Share price';
  return {
    times: kept.map(({ at }) => Math.floor(Date.parse(at) / 1000)),
    line: {
      label,
      values: kept.map(({ value }) => value),
      format,
      exact: (index) => kept[index]?.exact ?? null,
    },
    head: ['time', measure === 'apy' ? 'apy' : `${measure} ${unit === 'usd' ? 'USD' : symbol}`],
    rows: kept.map(({ at, cell }) => [at, cell]),
    json,
    unknown: ticks.length - known.length,
  };
}
