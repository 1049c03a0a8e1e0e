import { csvCell } from '../domain/csv.ts';

/** A column for programs. Null is an empty cell. */
export interface CsvColumn<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number | boolean | null | undefined;
}

/** As RFC 4180 has it, but for line ends, which are those of this system's tools. */
export function renderCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string[] {
  return [
    columns.map(({ name }) => csvCell(name)).join(','),
    ...rows.map((row) => columns.map(({ value }) => csvCell(value(row))).join(',')),
  ];
}
