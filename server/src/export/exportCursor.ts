import type { ExportTable } from '../store/exports/exportTable.ts';
import { keyCell } from './cells.ts';

/** Where to continue: the key of the last row, which is the first cells of its line. */
export interface ExportCursor {
  /** The first cell. */
  readonly family: string;
  readonly after: readonly string[];
}

const CELLS = {
  integer: /^\d{1,16}$/,
  hex: /^0x(?:[0-9a-f]{2}){0,64}$/,
  name: /^[\w-]{1,200}$/,
} as const;

/** Returns undefined for what is not the beginning of a line of the table. */
export function readExportCursor(table: ExportTable, text: string): ExportCursor | undefined {
  const cells = text.split(',');
  if (cells.length !== table.keyLength) return undefined;
  const isKey = cells.every((cell, i) => {
    const { type } = table.columns[i]!;
    return type in CELLS && CELLS[type as keyof typeof CELLS].test(cell);
  });
  return isKey ? { family: cells[0]!, after: cells.slice(1) } : undefined;
}

/** The key of the last of some lines. */
export function lastKey(table: ExportTable, lines: string): string[] {
  const last = lines.slice(lines.lastIndexOf('\n') + 1);
  return last.split(',', table.keyLength).map(keyCell);
}

/** Whether a key comes after another. */
export function isAfter(key: readonly string[], other: readonly string[]): boolean {
  for (let i = 0; i < other.length; i++) {
    const [a, b] = [key[i]!, other[i]!];
    if (a === b) continue;
    return a.startsWith('0x') ? a > b : Number(a) > Number(b);
  }
  return other.length === 0;
}
