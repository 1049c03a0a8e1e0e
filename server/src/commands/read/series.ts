import type { GetTvlSeriesParameters } from '@assay/client';
import type { Flag, FlagValues } from '../../cli/flags.ts';
import { UsageError } from '../../cli/usageError.ts';
import { type Point, renderChart } from '../../terminal/chart.ts';
import { grouped } from '../../terminal/figures.ts';
import type { Screen } from '../../terminal/screen.ts';
import { timeText } from '../../terminal/times.ts';
import { needed } from './readCommand.ts';

const INTERVALS = ['raw', 'hour', 'day'] as const;

export type SeriesArguments = GetTvlSeriesParameters;

export const SERIES_FLAGS: Readonly<Record<string, Flag>> = {
  from: { value: 'DATE', text: 'from this day or instant on, such as 2026-03-01' },
  to: { value: 'DATE', text: 'up to this day or instant' },
  interval: { value: 'WHICH', text: 'day (default), hour, or raw: every tick that is kept' },
};

export function readSeries(
  flags: FlagValues,
  slug: string | undefined,
  example: string,
): SeriesArguments {
  const [from, to] = [flags.get('from'), flags.get('to')];
  const interval = INTERVALS.find((known) => known === (flags.get('interval') ?? 'day'));
  if (interval === undefined) {
    throw new UsageError(`--interval must be one of ${INTERVALS.join(', ')}; correct it`);
  }
  return {
    slug: needed(slug, 'family', example),
    interval,
    limit: 5_000,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** A chart, with what it comes to below. */
export function showSeries(options: {
  readonly title: string;
  readonly points: readonly Point[];
  /** So that it can be told from the one a step further. */
  readonly label: (value: number, step: number) => string;
  /** The first and the last value in the words of the command. */
  readonly first: string;
  readonly last: string;
  /** From the one to the other; a part of the first unless told. */
  readonly change?: (first: number, last: number) => string;
  readonly screen: Screen;
}): string[] {
  const { points, screen, label } = options;
  const { bold, dim, green, red } = screen.style;
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return ['no figure is known for this time'];
  const { change = partOf } = options;
  const paint = last.value < first.value ? red : green;
  return [
    bold(options.title),
    '',
    ...renderChart(points, { label, screen }),
    '',
    `${options.first} → ${bold(options.last)} ${paint(change(first.value, last.value))}`.trimEnd(),
    dim(`${points.length} ticks, the last of ${timeText(last.at / 1000)} UTC`),
  ];
}

function partOf(first: number, last: number): string {
  if (first === 0) return '';
  return `(${signed(((last - first) / Math.abs(first)) * 100)} %)`;
}

export function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${grouped(value.toFixed(2))}`;
}
