import { plain } from './text.ts';

/** A column for programs. Null is an empty cell. */
export interface CsvColumn<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number | boolean | null | undefined;
}

/** As RFC 4180 has it, but for line ends, which are those of this system's tools. */
export function renderCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string[] {
  return [
    columns.map(({ name }) => cell(name)).join(','),
    ...rows.map((row) => columns.map(({ value }) => cell(value(row))).join(',')),
  ];
}

const NUMBER = /^-?\d+(\.\d+)?$/;

function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return `${value}`;
  const text = plain(value);
  // A spreadsheet would reckon with it: names are anybody's words.
  const safe = /^[=+@-]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
