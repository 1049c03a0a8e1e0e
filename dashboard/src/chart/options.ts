import type uPlot from 'uplot';
import type { Line } from './line.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const month = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' });
const FONT = '11px system-ui, sans-serif';
/** The number of series colors in theme.css. */
export const COLOURS = 6;

export interface LookOptions {
  readonly lines: readonly Line[];
  readonly stacked: boolean;
  readonly width: number;
  readonly height: number;
  readonly element: Element;
}

/** Returns the uPlot options, in the page's colors. */
export function plotOptions({ lines, stacked, width, height, element }: LookOptions) {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const grid = { stroke: colour('line'), width: 1 };
  const axis = { stroke: colour('soft'), font: FONT, grid, ticks: { show: false } };
  const format = lines[0]?.format ?? String;
  return {
    width,
    height,
    legend: { show: false },
    padding: [10, 12, 0, 0] as uPlot.Padding,
    scales: { x: { time: true }, y: { range: rangeOf(stacked) } },
    series: [
      {},
      ...lines.map((_, index): uPlot.Series => {
        const stroke = colour(`series-${(index % COLOURS) + 1}`);
        const only = lines.length === 1;
        const points = { show: false };
        if (stacked) return { stroke, width: 1, fill: `${stroke}99`, points };
        return { stroke, width: 1.75, points, ...(only && { fill: `${stroke}1f` }) };
      }),
    ],
    ...(stacked && {
      bands: lines
        .slice(1)
        .map((_, index) => ({ series: [index + 2, index + 1] as [number, number] })),
    }),
    axes: [
      { ...axis, grid: { show: false }, space: 80, size: 28, values: timeTexts },
      {
        ...axis,
        size: (_: uPlot, texts: string[] | null) =>
          14 + 6.2 * Math.max(4, ...(texts ?? []).map((text) => text?.length ?? 0)),
        values: (_: uPlot, ticks: number[]) => ticks.map((tick) => format(tick)),
        gap: 6,
        space: 36,
      },
    ],
    cursor: {
      drag: { x: true, y: false, dist: 6 },
      points: { size: 7 },
      y: false,
    },
  } satisfies uPlot.Options;
}

/** Labels the axis with days, or with months if the marks are far apart, or with times if they are close. */
function timeTexts(_: uPlot, ticks: number[]): string[] {
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  return ticks.map((tick) => {
    const midnight = new Date(tick * 1000).getHours() === 0;
    const format = step >= 2_400_000 ? month : step >= 86_400 || midnight ? day : clock;
    return format.format(tick * 1000);
  });
}

/** A stack starts at zero. A line has padding, and a flat line is centered. */
function rangeOf(stacked: boolean) {
  return (_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax => {
    if (min === null || max === null) return [0, 1];
    if (stacked) return [0, max > 0 ? max * 1.04 : 1];
    const air = max > min ? (max - min) * 0.08 : Math.abs(max) * 0.01 || 1;
    return [min >= 0 && min - air < 0 ? 0 : min - air, max + air];
  };
}
