import { expect, test } from 'vitest';
import { describeEachEngine } from '../../test/database.ts';
import {
  boolColumn,
  bytesColumn,
  floatColumn,
  intColumn,
  numericColumn,
  textColumn,
} from './columns.ts';

const read = {
  name: 'test.columns',
  text: `select * from unnest($1::bytea[], $2::numeric[], $3::bigint[], $4::float8[], $5::bool[], $6::text[])
    as t(bytes, amount, int, float, bool, text)`,
};
// The slower conversion, which statements can also use.
const readText = {
  name: 'test.columnsThroughText',
  text: `select * from unnest($1::bytea[], $2::numeric[], $3::bigint[], $4::float8[],
    $5::text::bool[], $6::text[]) as t(bytes, amount, int, float, bool, text)`,
};

const texts = [
  '',
  'NULL',
  'null',
  '"',
  '\\',
  '\\"',
  "'",
  ',',
  '{}',
  '{a,b}',
  ' padded ',
  'tab\tline\nreturn\r',
  '\x01\x1f\x7f',
  '\u2028 \u{1f600} ü',
  '\\x00',
  '$1',
];

describeEachEngine('columns', (open) => {
  test('default', async () => {
    const store = await open();
    const rows = texts.map((text, i) => ({
      bytes: `0x${'00ff'.repeat(i)}`,
      amount: (i % 2 ? -1n : 1n) * (10n ** 78n - BigInt(i + 1)),
      int: (2 ** 53 - 1 - i) * (i % 2 ? -1 : 1),
      float: [0.1, 1e300, 5e-324, -Infinity, Infinity, 123456789.123][i % 6],
      bool: i % 2 === 0,
      text,
    }));
    const params = [
      bytesColumn(rows.map((row) => row.bytes)),
      numericColumn(rows.map((row) => row.amount)),
      intColumn(rows.map((row) => row.int)),
      floatColumn(rows.map((row) => row.float!)),
      boolColumn(rows.map((row) => row.bool)),
      textColumn(rows.map((row) => row.text)),
    ];
    expect(await store.query(read, params)).toEqual(rows);
    expect(await store.query(readText, params)).toEqual(rows);
  });

  test('behavior: null in every type', async () => {
    const store = await open();
    const params = [bytesColumn, numericColumn, intColumn, floatColumn, boolColumn, textColumn];
    const rows = await store.query(
      read,
      params.map((column) => column([null, null])),
    );
    const empty = { bytes: null, amount: null, int: null, float: null, bool: null, text: null };
    expect(rows).toEqual([empty, empty]);
  });

  test('behavior: no rows', async () => {
    const store = await open();
    const params = [bytesColumn, numericColumn, intColumn, floatColumn, boolColumn, textColumn];
    expect(
      await store.query(
        read,
        params.map((column) => column([])),
      ),
    ).toEqual([]);
  });

  test('behavior: NUL is dropped from text', async () => {
    const store = await open();
    const column = { name: 'test.texts', text: 'select unnest($1::text[]) as text' };
    expect(await store.query(column, [textColumn(['a\0"\0', '\0'])])).toEqual([
      { text: 'a"' },
      { text: '' },
    ]);
  });
});
