import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Cell } from '../format/csv.ts';

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  /** Absent: the column is in exports only. */
  readonly render?: (row: Row) => ComponentChildren;
  /** Exact value for exports and sorting; null if unknown. Absent: the column has neither. */
  readonly value?: (row: Row) => Cell;
  /** Column name in exports, if the label includes the unit. */
  readonly fileLabel?: string;
  /** Unit of the value; a separate column in exports. */
  readonly unit?: (row: Row) => string | null;
  readonly numeric?: boolean;
  readonly title?: string;
  /** Order in which columns are hidden on narrow screens; a column without it stays. Cards show all columns. */
  readonly drop?: 1 | 2 | 3;
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

/** A table that hides columns on narrow screens. Within `.cards`, each row becomes a card. */
export function Table<Row>({ caption, rows, rowKey, sort, onSort, ...rest }: TableProps<Row>) {
  const columns = rest.columns.filter(({ render }) => render !== undefined);
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useOverflow(box);
  const scrolled = scrolls && { tabIndex: 0, role: 'group' as const, 'aria-label': caption };
  return (
    <div ref={box} class={scrolls ? 'wide scrolls' : 'wide'} {...scrolled}>
      <table>
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                class={lookOf(column)}
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
                const shown = column.render!(row);
                const look = lookOf(column);
                return index === 0 ? (
                  <th key={column.key} scope="row" class={look} data-label={column.label}>
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

function lookOf({ numeric, drop }: Column<never>): string | undefined {
  const looks = [numeric && 'num', drop && `drop-${drop}`].filter(Boolean);
  return looks.length === 0 ? undefined : looks.join(' ');
}

/** Returns whether the content of an element is wider than the element. */
function useOverflow(box: { readonly current: HTMLElement | null }): boolean {
  const [isWider, setWider] = useState(false);
  useLayoutEffect(() => {
    const element = box.current!;
    const look = () => setWider(element.scrollWidth > element.clientWidth);
    const watch = new ResizeObserver(look);
    for (const one of [element, ...element.children]) watch.observe(one);
    return () => watch.disconnect();
  }, []);
  return isWider;
}

/** Sorts rows by a column. Unknown values come last in both directions. */
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

/** Returns the columns and rows of an export; each value is followed by its unit. */
export function fileOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  const written = columns.flatMap(({ label, fileLabel = label, value, unit }) => [
    ...(value ? [{ label: fileLabel, value }] : []),
    ...(value && unit ? [{ label: `${fileLabel} unit`, value: unit }] : []),
  ]);
  return {
    head: written.map(({ label }) => label),
    rows: () => rows.map((row) => written.map(({ value }) => value(row))),
  };
}

/** Chain columns for exports. On screen, the chain is part of another column. */
export function chainColumns<Row>(
  chainOf: (row: Row) => number | null,
  nameOf: (chainId: number) => string,
): readonly Column<Row>[] {
  const name = (row: Row) => {
    const chainId = chainOf(row);
    return chainId === null ? null : nameOf(chainId);
  };
  return [
    { key: 'chainName', label: 'Chain', value: name },
    { key: 'chainId', label: 'Chain id', value: chainOf },
  ];
}
