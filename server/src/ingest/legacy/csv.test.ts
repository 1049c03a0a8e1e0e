import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCsv } from './csv.ts';

function fields(text: string) {
  return readCsv(text).rows.map((row) => row.fields);
}

describe('readCsv', () => {
  test('default', () => {
    expect(fields('a,b\n1,2\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  test('behavior: quotes, line breaks in them, CRLF, empty fields, blank lines', () => {
    const { rows } = readCsv('a,"b ""c"", d"\r\n\r\n"x\r\ny",\r\n,"" \nlast,row');
    expect(rows).toEqual([
      { line: 1, fields: ['a', 'b "c", d'] },
      { line: 3, fields: ['x\r\ny', ''] },
      { line: 5, fields: ['', ''] },
      { line: 6, fields: ['last', 'row'] },
    ]);
  });

  test('behavior: a trailing comma starts an empty field', () => {
    expect(fields('a,b\n1,')).toEqual([
      ['a', 'b'],
      ['1', ''],
    ]);
  });

  test('behavior: reads back any quoted text', () => {
    const table = fc.array(
      fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 4 }),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(table, (rows) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = rows.map((row) => row.map(quote).join(',')).join('\n');
        expect(fields(text)).toEqual(rows);
      }),
    );
  });

  test('error: a quote that is never closed', () => {
    expect(readCsv('a,b\n1,"2\n3').unclosedLine).toBe(2);
    expect(readCsv('a,b\n1,"2"x\n').unclosedLine).toBe(2);
  });
});
