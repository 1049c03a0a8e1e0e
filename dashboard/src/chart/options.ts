import type uPlot from 'uplot';
import { axisTexts, valueRange } from './axis.ts';
import type { Line } from './line.ts';
import { MARK_LETTERS, type Mark } from './marks.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const month = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' });
const FONT = '11px system-ui, sans-serif';
/** The number of series colors in theme.css. */
export const SERIES_COLORS = 6;
/** Least width of a bar's place in pixels, of which the bar takes a part. */
const BAR_SIZE = [0.7, 40] as const;

export interface LookOptions {
  readonly lines: readonly Line[];
  readonly kind: PlotKind;
  readonly width: number;
  readonly height: number;
  readonly element: Element;
  /** Plots with the same name share their crosshair. */
  readonly link: string | undefined;
  readonly marks: () => readonly Mark[];
}

/** Lines, areas on top of each other, or bars from zero. */
export type PlotKind = 'lines' | 'stacked' | 'bars';

/** Returns the uPlot options, in the page's colors. */
export function plotOptions(
  { lines, kind, width, height, element, link, marks }: LookOptions,
  bars: (typeof uPlot)['paths']['bars'],
) {
  const color = colorsOf(element);
  const grid = { stroke: color('line'), width: 1 };
  const axis = { stroke: color('soft'), font: FONT, grid, ticks: { show: false } };
  const unit = lines[0]?.axis ?? { unit: '' };
  const paths = kind === 'bars' ? bars?.({ size: [...BAR_SIZE] }) : undefined;
  return {
    width,
    height,
    legend: { show: false },
    padding: [unit.unit === '' ? 10 : 22, 12, 0, 0] as uPlot.Padding,
    scales: {
      x: { time: true },
      y: { range: (_: uPlot, min, max) => valueRange(min, max, kind !== 'lines') },
    },
    series: [
      {},
      ...lines.map((_, index): uPlot.Series => {
        const stroke = color(`series-${(index % SERIES_COLORS) + 1}`);
        const points = { show: false };
        if (kind === 'bars') return { stroke, width: 0, fill: stroke, points, paths: paths! };
        if (kind === 'stacked') return { stroke, width: 1, fill: `${stroke}99`, points };
        const only = lines.length === 1;
        return { stroke, width: 1.75, points, ...(only && { fill: fillFromZero(stroke) }) };
      }),
    ],
    ...(kind === 'stacked' && {
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
        values: (_: uPlot, ticks: number[]) => axisTexts(ticks, unit),
        gap: 6,
        space: 36,
      },
    ],
    cursor: {
      drag: { x: true, y: false, dist: 6 },
      points: { size: 7, show: kind !== 'bars' },
      y: false,
      ...(link !== undefined && { sync: linked(link) }),
    },
    hooks: {
      drawClear: [(plot) => drawPeriods(plot, marks(), color('raised'))],
      draw: [
        (plot) => {
          drawUnit(plot, unit.unit, color('soft'));
          drawMoments(plot, marks(), color);
        },
      ],
    },
  } satisfies uPlot.Options;
}

/** Returns a function that reads a color of the page. */
export function colorsOf(element: Element): (name: string) => string {
  const style = getComputedStyle(element);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}

/** An area is proportional to its values only if the axis starts at zero. */
function fillFromZero(stroke: string) {
  return ({ scales }: uPlot) => (scales.y?.min === 0 ? `${stroke}1f` : 'transparent');
}

/** Only the position is shared: each plot selects and zooms by itself, and the page's zoom follows. */
function linked(key: string): uPlot.Cursor.Sync {
  const isMove = (type: string) => type === 'mousemove' || type === 'mouseleave';
  return {
    key,
    scales: ['x', null],
    setSeries: false,
    filters: { pub: isMove, sub: isMove },
  };
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

function drawUnit(plot: uPlot, unit: string, color: string): void {
  if (unit === '') return;
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = scaled(FONT);
  ctx.fillStyle = color;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  ctx.fillText(unit, 4 * devicePixelRatio, bbox.top - 6 * devicePixelRatio);
  ctx.restore();
}

/** Shades periods behind the lines. */
function drawPeriods(plot: uPlot, marks: readonly Mark[], color: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = color;
  for (const { at, to } of marks) {
    if (to === undefined) continue;
    const left = Math.max(plot.valToPos(at, 'x', true), bbox.left);
    const right = Math.min(plot.valToPos(to, 'x', true), bbox.left + bbox.width);
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
  ctx.restore();
}

/** Draws a dashed line with a letter for each moment. */
function drawMoments(plot: uPlot, marks: readonly Mark[], color: (name: string) => string): void {
  const { ctx, bbox } = plot;
  const unit = devicePixelRatio;
  ctx.save();
  ctx.font = scaled(`600 ${FONT}`);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  ctx.lineWidth = unit;
  ctx.setLineDash([3 * unit, 3 * unit]);
  for (const { at, to, kind } of marks) {
    const x = Math.round(plot.valToPos(at, 'x', true));
    if (to !== undefined || x < bbox.left || x > bbox.left + bbox.width) continue;
    const ink = color(kind === 'reorg' ? 'poor' : 'series-4');
    ctx.strokeStyle = ink;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top + 16 * unit);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillStyle = ink;
    ctx.fillText(MARK_LETTERS[kind], x, bbox.top + 2 * unit);
  }
  ctx.restore();
}

/** The canvas has device pixels. */
function scaled(font: string): string {
  return font.replace(/(\d+)px/, (_, size) => `${Number(size) * devicePixelRatio}px`);
}
