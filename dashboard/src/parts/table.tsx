import type { ComponentChildren } from 'preact';
import type { Cell } from '../format/csv.ts';

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  readonly render: (row: Row) => ComponentChildren;
  /** The exact value, for files and for sorting; absent: neither. Null: not known. */
  readonly value?: (row: Row) => Cell;
  readonly numeric?: boolean;
  readonly title?: string;
}

export interface Sort {
  readonly key: string;
  readonly down: boolean;
}

export interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
}

/** A table; on a phone each row becomes a card. */
export function Table<Row>({ caption, columns, rows, rowKey, sort, onSort }: TableProps<Row>) {
  return (
    <div class="wide">
      <table>
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                class={column.numeric ? 'num' : undefined}
                title={column.title}
                aria-sort={ariaSort(column)}
              >
                {onSort && column.value ? (
                  <button type="button" class="sorter" onClick={() => onSort(next(column))}>
                    {column.label}
                    <span aria-hidden="true">{mark(column)}</span>
                  </button>
                ) : (
                  column.label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) => {
                const shown = column.render(row);
                const look = column.numeric ? 'num' : undefined;
                return index === 0 ? (
                  <th key={column.key} scope="row" data-label={column.label}>
                    {shown}
                  </th>
                ) : (
                  <td key={column.key} class={look} data-label={column.label}>
                    {shown}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );

  function ariaSort({ key }: Column<Row>): 'ascending' | 'descending' | undefined {
    if (sort?.key !== key) return undefined;
    return sort.down ? 'descending' : 'ascending';
  }

  function mark({ key }: Column<Row>): string {
    if (sort?.key !== key) return '';
    return sort.down ? ' ↓' : ' ↑';
  }

  function next({ key, numeric }: Column<Row>): Sort {
    if (sort?.key !== key) return { key, down: numeric === true };
    return { key, down: !sort.down };
  }
}

/** Sorted by a column; what is not known comes last, whichever way. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort,
): readonly Row[] {
  const value = columns.find(({ key }) => key === sort.key)?.value;
  if (value === undefined) return rows;
  const sign = sort.down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    if (typeof x !== 'string' || typeof y !== 'string') return x < y ? -sign : x > y ? sign : 0;
    const gap = Number(x) - Number(y);
    return sign * (Number.isNaN(gap) ? x.localeCompare(y) : gap);
  });
}

/** The columns that go into a file, and their rows. */
export function fileOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  const told = columns.filter(({ value }) => value !== undefined);
  return {
    head: told.map(({ label }) => label),
    rows: () => rows.map((row) => told.map(({ value }) => value!(row))),
  };
}
