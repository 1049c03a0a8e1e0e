import type { Screen } from './screen.ts';
import { cut, cutMiddle, pad, plain, widthOf } from './text.ts';

/** A column for people. */
export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Figures stand at the right. */
  readonly right?: boolean;
  /** Which columns go first where there is no room: those with the highest. One without a number never goes. */
  readonly spare?: number;
  /** It may be made this narrow: texts lose their end, or their middle where both ends matter. */
  readonly narrow?: number;
  readonly middle?: boolean;
  readonly paint?: (text: string, row: Row) => string;
}

const GAP = '  ';
/** A name is anybody's, and may be endless; hashes are shorter. */
const MAX_IN_CELL = 120;

/** Rows below a line of titles, no wider than the screen. */
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

/** What cannot be spared, and as much of the rest as fits where each is as narrow as it may be: the weightiest first. */
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

/** Takes what is missing from the widest that can be narrower, a column at a time. */
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
