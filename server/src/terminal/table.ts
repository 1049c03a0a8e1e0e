import type { Screen } from './screen.ts';
import { cut, cutMiddle, pad, plain, widthOf } from './text.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Aligned to the right, for numbers. */
  readonly right?: boolean;
  /** Columns with the highest value are dropped first if space is short. Without a value, the column always stays. */
  readonly spare?: number;
  /** Minimum width: longer text is cut at its end, or in its middle with `middle`. */
  readonly narrow?: number;
  readonly middle?: boolean;
  readonly paint?: (text: string, row: Row) => string;
}

const GAP = '  ';
/** Third-party names have no length limit; hashes are shorter than this. */
const MAX_IN_CELL = 120;

/** Renders a title line and the rows, no wider than the screen. */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { columns: room, style }: Pick<Screen, 'columns' | 'style'>,
): string[] {
  const cells = new Map(
    columns.map((column) => [
      column,
      rows.map((row) => cut(plain(column.value(row)), MAX_IN_CELL)),
    ]),
  );
  const natural = (column: Column<Row>) =>
    Math.max(widthOf(column.title), ...cells.get(column)!.map(widthOf));
  const shown = room === null ? columns : fitting(columns, natural, room);
  const widths = shrink(shown, natural, room);
  const line = (text: (column: Column<Row>, width: number) => string) =>
    shown
      .map((column, i) => text(column, widths[i]!))
      .join(GAP)
      .trimEnd();
  const title = line((column, width) =>
    style.bold(pad(cut(column.title, width), width, sideOf(column))),
  );
  return [
    title,
    ...rows.map((row, i) =>
      line((column, width) => {
        const text = (column.middle ? cutMiddle : cut)(cells.get(column)![i]!, width);
        const painted = column.paint?.(text, row) ?? text;
        const space = ' '.repeat(Math.max(0, width - widthOf(text)));
        return sideOf(column) === 'right' ? space + painted : painted + space;
      }),
    ),
  ];
}

function sideOf({ right = false }: { readonly right?: boolean }): 'left' | 'right' {
  return right ? 'right' : 'left';
}

type WidthOf<Row> = (column: Column<Row>) => number;

/** Returns the required columns, and the most important others that fit at their minimum width. */
function fitting<Row>(
  columns: readonly Column<Row>[],
  natural: WidthOf<Row>,
  room: number,
): readonly Column<Row>[] {
  const shown = new Set<Column<Row>>();
  let used = -GAP.length;
  for (const column of columns.toSorted((a, b) => (a.spare ?? 0) - (b.spare ?? 0))) {
    const width = GAP.length + Math.min(natural(column), column.narrow ?? Infinity);
    if (column.spare && used + width > room) continue;
    shown.add(column);
    used += width;
  }
  return columns.filter((column) => shown.has(column));
}

/** Shrinks the widest column that can shrink, one character at a time, until all fit. */
function shrink<Row>(
  columns: readonly Column<Row>[],
  natural: WidthOf<Row>,
  room: number | null,
): number[] {
  const widths = columns.map(natural);
  let over = room === null ? 0 : sum(widths) + GAP.length * (widths.length - 1) - room;
  for (; over > 0; over--) {
    const able = columns.map(({ narrow }, i) =>
      widths[i]! > (narrow ?? Infinity) ? widths[i]! : 0,
    );
    const widest = Math.max(...able);
    if (widest === 0) break;
    widths[able.lastIndexOf(widest)]!--;
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
