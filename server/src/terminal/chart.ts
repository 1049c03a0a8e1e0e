import { createScale } from './scale.ts';
import type { Screen } from './screen.ts';
import { pad, widthOf } from './text.ts';

export interface Point {
  /** Milliseconds. */
  readonly at: number;
  readonly value: number;
}

export interface ChartOptions {
  /** Formats the label of a value, with enough digits to differ from the next step. */
  readonly label: (value: number, step: number) => string;
  readonly screen: Screen;
}

const MAX_STEPS = 6;
/** Lines of the chart; they leave room for the text above and below. */
const [ROWS, ROWS_OF_TALL] = [12, 20];
const TALL = 36;
const USUAL_COLUMNS = 80;
const MAX_COLUMNS = 240;
/** Dots of a braille character: two across, four down. */
const [DOTS_ACROSS, DOTS_DOWN] = [2, 4];
/** The bit of each dot in a braille character, by column, then row. */
const BITS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const DAY_MS = 86_400_000;

/** Draws points, oldest first, with values on the side and dates below. */
export function renderChart(points: readonly Point[], { label, screen }: ChartOptions): string[] {
  const { style } = screen;
  const values = points.map(({ value }) => value);
  const scale = createScale(Math.min(...values), Math.max(...values), MAX_STEPS);
  const { steps } = scale;
  const rows = (screen.rows ?? 0) >= TALL ? ROWS_OF_TALL : ROWS;
  const rowsPerStep = Math.floor(rows / steps);
  const height = steps * rowsPerStep + 1;
  const labels = Array.from({ length: steps + 1 }, (_, i) =>
    label(scale.base + i * scale.step, scale.step),
  );
  const side = Math.max(...labels.map(widthOf));
  const columns = Math.min(screen.columns ?? USUAL_COLUMNS, MAX_COLUMNS);
  const width = Math.max(8, columns - side - 2);

  const grid = createGrid(width, height);
  const [first, last] = [points[0]!.at, points.at(-1)!.at];
  const across = (at: number) =>
    last === first
      ? width * DOTS_ACROSS - 1
      : Math.round(((at - first) / (last - first)) * (width * DOTS_ACROSS - 1));
  // One dot up, so that a labeled value is on the line of its label.
  const up = (value: number) =>
    Math.round(((value - scale.base) / scale.step) * rowsPerStep * DOTS_DOWN) + 1;
  for (const [i, { at, value }] of points.entries()) {
    const before = points[Math.max(0, i - 1)]!;
    grid.line(across(before.at), up(before.value), across(at), up(value));
  }

  const lines = grid.rows().map((row, fromTop) => {
    const fromBottom = height - 1 - fromTop;
    const isLabelled = fromBottom % rowsPerStep === 0;
    const text = isLabelled ? labels[fromBottom / rowsPerStep]! : '';
    return `${style.dim(`${pad(text, side, 'right')} ${isLabelled ? '┤' : '│'}`)}${style.cyan(row.trimEnd())}`;
  });
  return [
    ...lines,
    ...timeAxis(first, last, width).map((line) => style.dim(`${' '.repeat(side + 1)}${line}`)),
  ];
}

/** Draws the axis and its dates. */
function timeAxis(first: number, last: number, width: number): string[] {
  const format = last - first >= 2 * DAY_MS ? dayOf : minuteOf;
  const size = format(first).length;
  const count = first === last ? 1 : Math.max(1, Math.min(6, Math.floor(width / (size + 6))));
  let [marks, dates] = ['', ''];
  for (let i = 0; i < count; i++) {
    const share = count === 1 ? 1 : i / (count - 1);
    const column = Math.round(share * (width - 1));
    const text = format(first + share * (last - first));
    // The first and last date align with the chart's edges, the others are centered on their mark.
    const start = Math.round(column - share * (size - 1));
    marks = `${marks.padEnd(column, '─')}┴`;
    dates = `${dates.padEnd(Math.max(0, start))}${text}`;
  }
  return [`└${marks}`, ` ${dates}`];
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function minuteOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

function createGrid(width: number, height: number) {
  const cells = Array.from({ length: height }, () => new Uint8Array(width));
  return { line, rows };

  /** Sets a dot, counted from the left and from the bottom. */
  function dot(x: number, y: number): void {
    const fromTop = height * DOTS_DOWN - 1 - y;
    const row = cells[Math.floor(fromTop / DOTS_DOWN)];
    const column = Math.floor(x / DOTS_ACROSS);
    if (row === undefined || column < 0 || column >= width) return;
    row[column]! |= BITS[x % DOTS_ACROSS]![fromTop % DOTS_DOWN]!;
  }

  function line(x0: number, y0: number, x1: number, y1: number): void {
    const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
    for (let i = 0; i <= steps; i++) {
      dot(Math.round(x0 + ((x1 - x0) * i) / steps), Math.round(y0 + ((y1 - y0) * i) / steps));
    }
  }

  function rows(): string[] {
    return cells.map((row) =>
      Array.from(row, (bits) => (bits === 0 ? ' ' : String.fromCharCode(0x2800 + bits))).join(''),
    );
  }
}
