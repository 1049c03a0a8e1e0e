export interface CsvRow {
  /** Where it starts, from 1: quoted fields may hold line breaks. */
  readonly line: number;
  readonly fields: readonly string[];
}

export interface Csv {
  readonly rows: readonly CsvRow[];
  /** Line of a quote that is never closed. */
  readonly unclosedLine: number | null;
}

/** Comma-separated values as RFC 4180 has them; blank lines are left out. */
export function readCsv(text: string): Csv {
  // A field, quoted or not, and what ends it.
  const field = /(?:"([^"]*(?:""[^"]*)*)"[^\S\r\n]*|([^,\r\n]*))(,|\r\n|\n|\r|$)/y;
  const rows: CsvRow[] = [];
  let fields: string[] = [];
  let line = 1;
  let rowLine = 1;
  for (let at = 0; at < text.length || fields.length > 0; ) {
    field.lastIndex = at;
    const match = field.exec(text);
    // Only an opening quote can keep a field from ending.
    if (match === null || (match[1] === undefined && match[2]?.startsWith('"'))) {
      return { rows, unclosedLine: line };
    }
    const [whole, quoted, plain = '', end] = match;
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += countLines(whole);
    at = field.lastIndex;
    if (end === ',') continue;
    if (fields.length > 1 || fields[0] !== '') rows.push({ line: rowLine, fields });
    fields = [];
    rowLine = line;
  }
  return { rows, unclosedLine: null };
}

function countLines(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
