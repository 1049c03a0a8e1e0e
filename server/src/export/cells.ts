import type { ExportColumn } from '../store/exports/exportTable.ts';

/** Characters with which a spreadsheet begins a formula, or passes over before one. */
const FORMULA = /^[\s]*[=+\-@]/;
const QUOTED = /[",\r\n]/;

/** Puts text into a cell of a page; see ExportPage. */
export function textToCell(text: string): string {
  return Buffer.from(text).toString('hex');
}

export function cellToText(cell: string): string {
  return Buffer.from(cell, 'hex').toString();
}

/** Text as a CSV cell that a spreadsheet does not calculate with. */
export function csvText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvHeader(columns: readonly ExportColumn[]): string {
  return `${columns.map(({ name }) => name).join(',')}\n`;
}

/** Makes CSV of the lines of pages: they are CSV already, except for bytes and texts. */
export function createCsv(columns: readonly ExportColumn[]): (lines: string) => Buffer {
  const texts = columns.flatMap(({ type }, i) => (type === 'text' ? [i] : []));
  if (texts.length === 0) return (lines) => toBytes(lines === '' ? '' : `${lines}\n`);
  // The texts of most tables repeat.
  const known = createKnown((cell) => csvText(cellToText(cell)));
  return (lines) => {
    let csv = '';
    for (const line of linesOf(lines)) {
      const cells = line.replaceAll('\\x', '0x').split(',');
      for (const i of texts) cells[i] = known(cells[i]!);
      csv += `${cells.join(',')}\n`;
    }
    return Buffer.from(csv);
  };
}

const BACKSLASH = 0x5c;
const ZERO = 0x30;

/** The bytes of lines, in which cells of type hex begin with 0x. Replacing them in a string takes several times as long. */
export function toBytes(lines: string): Buffer {
  const bytes = Buffer.from(lines, 'latin1');
  for (let at = bytes.indexOf(BACKSLASH); at !== -1; at = bytes.indexOf(BACKSLASH, at + 1)) {
    bytes[at] = ZERO;
  }
  return bytes;
}

/** A cell of a key, as it is in a cursor. */
export function keyCell(cell: string): string {
  return cell.startsWith('\\') ? `0${cell.slice(1)}` : cell;
}

export function linesOf(lines: string): string[] {
  return lines === '' ? [] : lines.split('\n');
}

const MAX_KNOWN = 10_000;
const LONGEST_KNOWN = 200;

export function createKnown(convert: (cell: string) => string): (cell: string) => string {
  const known = new Map<string, string>();
  return (cell) => {
    if (cell.length > LONGEST_KNOWN) return convert(cell);
    const found = known.get(cell);
    if (found !== undefined) return found;
    if (known.size >= MAX_KNOWN) known.clear();
    const text = convert(cell);
    known.set(cell, text);
    return text;
  };
}
