import { describe, expect, test } from 'vitest';
import { createStyle } from './style.ts';
import { type Column, renderTable } from './table.ts';
import { widthOf } from './text.ts';

interface Row {
  readonly name: string;
  readonly value: string;
  readonly address: string;
}

const ADDRESS = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const ROWS: Row[] = [
  { name: 'svcusd', value: '14,973,120.48', address: ADDRESS },
  { name: '日本円の金庫', value: '–', address: ADDRESS },
];
const COLUMNS: Column<Row>[] = [
  { title: 'FAMILY', value: ({ name }) => name, narrow: 8 },
  { title: 'TVL', value: ({ value }) => value, right: true },
  { title: 'VAULT', value: ({ address }) => address, spare: 1, narrow: 11, middle: true },
];
const plainStyle = createStyle(false);

function render(columns: number | null, style = plainStyle): string[] {
  return renderTable(COLUMNS, ROWS, { columns, style });
}

describe('renderTable', () => {
  test('default: full width without a limit', () => {
    expect(render(null)).toEqual([
      'FAMILY                  TVL  VAULT',
      `svcusd        14,973,120.48  ${ADDRESS}`,
      `日本円の金庫              –  ${ADDRESS}`,
    ]);
  });

  test('behavior: narrows columns before any is left out', () => {
    expect(render(40)).toEqual([
      'FAMILY                  TVL  VAULT',
      'svcusd        14,973,120.48  0x83358…913',
      '日本円の金庫              –  0x83358…913',
    ]);
  });

  test('behavior: leaves out optional columns, and truncates the others', () => {
    expect(render(24)).toEqual([
      'FAMILY               TVL',
      'svcusd     14,973,120.48',
      '日本円の…              –',
    ]);
  });

  test.each([20, 24, 40, 60, 80, 200])('behavior: no line is wider than %d', (columns) => {
    const wide = renderTable(
      [
        { title: 'A', value: ({ name }: Row) => name, narrow: 4 },
        { title: 'B', value: ({ address }: Row) => address, narrow: 8, middle: true },
      ],
      ROWS,
      { columns, style: plainStyle },
    );
    for (const line of wide) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  });

  test('behavior: an endless name widens its column only up to a limit, also in a pipe', () => {
    const rows = [{ name: 'x'.repeat(10_000), value: '1', address: '' }];
    const lines = renderTable(COLUMNS, rows, { columns: null, style: plainStyle });
    expect(lines[1]).toBe(`${'x'.repeat(119)}…    1`);
  });

  test('behavior: third-party text cannot move the cursor, and color keeps the layout', () => {
    const rows = [{ name: 'a\x1b[2Jb\nc', value: '1', address: '' }];
    const [, line] = renderTable(COLUMNS, rows, { columns: 80, style: plainStyle });
    expect(line).toBe('a [2Jb c    1');
    const painted = render(80, createStyle(true));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are escape sequences
    expect(painted.map((one) => one.replace(/\x1b\[\d+m/g, '').trimEnd())).toEqual(render(80));
    expect(painted[0]).toContain('\x1b[1m');
  });
});
