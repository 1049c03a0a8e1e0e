/** RFC 4180. A spreadsheet takes a text that begins with a sign for a formula: such a text is quoted once more. */
export function csvText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

/** Null: not known. */
export type Cell = string | number | bigint | null;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const isNumber = /^-?\d+(\.\d+)?$/.test(cell);
  const text = !isNumber && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** JSON of anything, amounts as decimal digits as the API writes them. */
export function jsonText(value: unknown): string {
  return JSON.stringify(
    value,
    (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one),
    2,
  );
}
