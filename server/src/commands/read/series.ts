import type { GetTvlSeriesParameters } from '@assay/client';
import { type Flag, type FlagValues, readChoice } from '../../cli/flags.ts';
import { type Point, renderChart } from '../../terminal/chart.ts';
import { grouped } from '../../terminal/formatNumber.ts';
import type { Screen } from '../../terminal/screen.ts';
import { timeText } from '../../terminal/times.ts';
import { needed } from './readCommand.ts';

const INTERVALS = ['raw', 'hour', 'day'] as const;

export type SeriesArguments = GetTvlSeriesParameters;

export const SERIES_FLAGS: Readonly<Record<string, Flag>> = {
  from: { value: 'DATE', text: 'Start day or time, such as 2026-03-01' },
  to: { value: 'DATE', text: 'End day or time' },
  interval: {
    value: 'WHICH',
    text: 'day (default), hour, or raw: every stored data point',
    choices: INTERVALS,
  },
};

export function readSeries(
  flags: FlagValues,
  slug: string | undefined,
  example: string,
): SeriesArguments {
  const [from, to] = [flags.get('from'), flags.get('to')];
  const interval = readChoice(flags, 'interval', INTERVALS) ?? 'day';
  return {
    slug: needed(slug, 'family', example),
    interval,
    limit: 5_000,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** Renders a chart and a summary below it. */
export function showSeries(options: {
  readonly title: string;
  readonly points: readonly Point[];
  /** Precise enough to distinguish neighboring axis labels. */
  readonly label: (value: number, step: number) => string;
  /** The first and the last value as text. */
  readonly first: string;
  readonly last: string;
  /** The change between the two; default: relative to the first. */
  readonly change?: (first: number, last: number) => string;
  readonly screen: Screen;
}): string[] {
  const { points, screen, label } = options;
  const { bold, dim, green, red } = screen.style;
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return ['no data for this period'];
  const { change = partOf } = options;
  const paint = last.value < first.value ? red : green;
  return [
    bold(options.title),
    '',
    ...renderChart(points, { label, screen }),
    '',
    `${options.first} → ${bold(options.last)} ${paint(change(first.value, last.value))}`.trimEnd(),
    dim(`${points.length} data points, the last at ${timeText(last.at / 1000)} UTC`),
  ];
}

function partOf(first: number, last: number): string {
  if (first === 0) return '';
  return `(${signed(((last - first) / Math.abs(first)) * 100)} %)`;
}

export function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${grouped(value.toFixed(2))}`;
}
