/** Formats CSV (RFC 4180). Text that a spreadsheet would run as a formula gets a leading apostrophe. */
export function csvText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

/** Null: unknown. */
export type Cell = string | number | bigint | null;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const isNumber = /^-?\d+(\.\d+)?$/.test(cell);
  const text = !isNumber && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats JSON, with amounts as decimal strings, as in the API. */
export function jsonText(value: unknown): string {
  return JSON.stringify(
    value,
    (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one),
    2,
  );
}
