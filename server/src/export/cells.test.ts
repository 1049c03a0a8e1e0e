import { expect, test } from 'vitest';
import { exportPoolValues } from '../store/ticks/exportPoolValues.ts';
import { createCsv, csvText, textToCell } from './cells.ts';

test('default: text that a spreadsheet would evaluate stays text', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1']) {
    expect(csvText(text).replace('"', '')).toMatch(/^'/);
  }
  expect(csvText('alpha:usdc')).toBe('alpha:usdc');
});

test('default: quotes, commas, and line ends', () => {
  expect(csvText('a,"b"')).toBe('"a,""b"""');
  expect(csvText('a\nb')).toBe('"a\nb"');
});

test('behavior: texts of a page are decoded, and nothing else', () => {
  const line = ['f', '1', '\\x01', '5', '7', textToCell('=ä,"x"'), '10', '0', ''].join(',');
  expect(String(createCsv(exportPoolValues.columns)(line))).toBe(
    `f,1,0x01,5,7,"'=ä,""x""",10,0,\n`,
  );
});
