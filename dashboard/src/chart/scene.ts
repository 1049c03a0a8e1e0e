import { axisTexts, axisTicks, valueRange } from './axis.ts';
import { type Line, type Span, stack } from './line.ts';
import { MARK_LETTERS, type Mark, marksIn } from './marks.ts';
import type { PlotKind } from './options.ts';

/** A chart as shapes, which are written as SVG or drawn as PNG, so that both files look alike. */
export type Shape =
  | { readonly type: 'rect'; x: number; y: number; width: number; height: number; fill: string }
  | {
      readonly type: 'path';
      /** Separate lines, each a list of points. */
      readonly lines: readonly (readonly Point[])[];
      readonly stroke?: string;
      readonly fill?: string;
      readonly isDashed?: boolean;
    }
  | {
      readonly type: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly fill: string;
      readonly size: number;
      readonly anchor: 'start' | 'middle' | 'end';
      readonly isBold?: boolean;
    };

type Point = readonly [x: number, y: number];

export interface Drawing {
  readonly title: string;
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly kind: PlotKind;
  readonly marks: readonly Mark[];
  /** The visible range. */
  readonly span: Span;
  readonly color: (name: string) => string;
  readonly timeText: (seconds: number) => string;
}

export const SCENE = { width: 1200, height: 630 } as const;
const PLACE = { left: 90, right: 1170, top: 118, bottom: 570 } as const;
const SMALL = 15;
const SERIES_COLORS = 6;

/** Returns the shapes of a chart with its title, legend, axes, and marks. */
export function sceneOf(drawing: Drawing): Shape[] {
  const { title, lines, kind, marks, span, color, timeText } = drawing;
  const shown = visible(drawing);
  const { low, high } = limitsOf(shown.values, kind);
  const x = (time: number) =>
    PLACE.left + ((time - span.min) / (span.max - span.min || 1)) * (PLACE.right - PLACE.left);
  const y = (value: number) =>
    PLACE.bottom - ((value - low) / (high - low || 1)) * (PLACE.bottom - PLACE.top);
  const text = (fields: Omit<Shape & { type: 'text' }, 'type' | 'size'> & { size?: number }) =>
    ({ type: 'text', size: SMALL, ...fields }) as const;
  const { unit = '', ...axis } = lines[0]?.axis ?? {};
  const ticks = axisTicks(low, high, 6);
  const texts = axisTexts(ticks, { unit, ...axis });
  const soft = color('soft');
  return [
    { type: 'rect', x: 0, y: 0, ...SCENE, fill: color('panel') },
    text({
      x: 30,
      y: 46,
      text: title,
      fill: color('text'),
      size: 24,
      anchor: 'start',
      isBold: true,
    }),
    ...legend(),
    text({ x: 30, y: PLACE.top - 14, text: unit, fill: soft, anchor: 'start' }),
    ...periods(),
    ...ticks.flatMap((tick, index): Shape[] => [
      {
        type: 'path',
        lines: [
          [
            [PLACE.left, y(tick)],
            [PLACE.right, y(tick)],
          ],
        ],
        stroke: color('line'),
      },
      text({ x: PLACE.left - 10, y: y(tick) + 5, text: texts[index]!, fill: soft, anchor: 'end' }),
    ]),
    ...[0, 0.25, 0.5, 0.75, 1].map((part) => {
      const time = span.min + (span.max - span.min) * part;
      const anchor = part === 0 ? 'start' : part === 1 ? 'end' : 'middle';
      return text({ x: x(time), y: PLACE.bottom + 30, text: timeText(time), fill: soft, anchor });
    }),
    ...(kind === 'bars' ? bars() : curves()),
    ...moments(),
    text({ x: PLACE.right, y: 46, text: 'Assay', fill: soft, anchor: 'end', isBold: true }),
  ];

  function ink(index: number): string {
    return color(`series-${(index % SERIES_COLORS) + 1}`);
  }

  function legend(): Shape[] {
    if (lines.length < 2) return [];
    const wide = Math.min(260, (SCENE.width - 60) / lines.length);
    return lines.flatMap(({ label }, index): Shape[] => [
      { type: 'rect', x: 30 + index * wide, y: 66, width: 12, height: 12, fill: ink(index) },
      text({ x: 48 + index * wide, y: 77, text: label, fill: color('text'), anchor: 'start' }),
    ]);
  }

  function curves(): Shape[] {
    const base = kind === 'stacked' ? y(0) : low === 0 && lines.length === 1 ? y(0) : undefined;
    const layers = shown.values.map((values, index): Shape[] => {
      const runs = runsOf(shown.times, values).map((run) =>
        run.map(([time, value]): Point => [x(time), y(value)]),
      );
      const area = base === undefined ? [] : runs.map((run) => closed(run, base));
      const fill = `${ink(index)}${kind === 'stacked' ? '' : '1f'}`;
      return [
        ...(base === undefined ? [] : [{ type: 'path', lines: area, fill } as const]),
        { type: 'path', lines: runs, stroke: ink(index) },
      ];
    });
    // The highest layer of a stack contains the others, so it comes first.
    return (kind === 'stacked' ? layers.reverse() : layers).flat();
  }

  function bars(): Shape[] {
    const step = Math.min(...shown.times.slice(1).map((time, i) => time - shown.times[i]!));
    const width = Math.min(40, Number.isFinite(step) ? (x(step) - x(0)) * 0.7 : 40);
    return shown.values.flatMap((values, index) =>
      values.flatMap((value, at): Shape[] => {
        if (value === null) return [];
        const [top, bottom] = [y(Math.max(value, 0)), y(Math.min(value, 0))];
        const left = x(shown.times[at]!) - width / 2;
        return [{ type: 'rect', x: left, y: top, width, height: bottom - top, fill: ink(index) }];
      }),
    );
  }

  function periods(): Shape[] {
    return marksIn(marks, span).flatMap(({ at, to }): Shape[] => {
      if (to === undefined) return [];
      const [left, right] = [Math.max(x(at), PLACE.left), Math.min(x(to), PLACE.right)];
      const height = PLACE.bottom - PLACE.top;
      return [
        { type: 'rect', x: left, y: PLACE.top, width: right - left, height, fill: color('raised') },
      ];
    });
  }

  function moments(): Shape[] {
    return marksIn(marks, span).flatMap(({ at, to, kind: what }): Shape[] => {
      if (to !== undefined) return [];
      const stroke = color(what === 'reorg' ? 'poor' : 'series-4');
      const line: Point[] = [
        [x(at), PLACE.top + 4],
        [x(at), PLACE.bottom],
      ];
      return [
        { type: 'path', lines: [line], stroke, isDashed: true },
        text({ x: x(at), y: PLACE.top, text: MARK_LETTERS[what], fill: stroke, anchor: 'middle' }),
      ];
    });
  }
}

/** Returns the part of the data that is in the visible range. */
function visible({ times, lines, kind, span }: Drawing) {
  const all = kind === 'stacked' ? stack(lines) : lines.map(({ values }) => values);
  const inside = times.flatMap((time, index) =>
    time >= span.min && time <= span.max ? [index] : [],
  );
  return {
    times: inside.map((index) => times[index]!),
    values: all.map((values) => inside.map((index) => values[index] ?? null)),
  };
}

function limitsOf(values: readonly (readonly (number | null)[])[], kind: PlotKind) {
  let [min, max]: [number | null, number | null] = [null, null];
  for (const value of values.flat()) {
    if (value === null) continue;
    min = Math.min(min ?? value, value);
    max = Math.max(max ?? value, value);
  }
  const [low, high] = valueRange(min, max, kind !== 'lines');
  return { low, high };
}

/** Splits a line where values are missing. */
function runsOf(times: readonly number[], values: readonly (number | null)[]): Point[][] {
  const runs: Point[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)!.push([times[index]!, value]);
  }
  return runs.filter((run) => run.length > 0);
}

function closed(run: readonly Point[], base: number): Point[] {
  return [[run[0]![0], base], ...run, [run.at(-1)![0], base]];
}
