import { expect, test } from 'vitest';
import { renderCsv } from './csv.ts';
import { screenOf } from './screen.ts';
import { ageText, timeText } from './times.ts';

test('renderCsv: quotes, empty cells, and nothing that a spreadsheet or a terminal would execute', () => {
  const column = { name: 'a,b', value: (row: string | number | boolean | null) => row };
  const rows = ['x', 'say "hi"', '=1+1', '-5', '-cmd', null, 0.5, true, 'a\x1b[2J\nb'];
  expect(renderCsv([column], rows)).toEqual([
    '"a,b"',
    'x',
    '"say ""hi"""',
    "'=1+1",
    '-5',
    "'-cmd",
    '',
    '0.5',
    'true',
    'a [2J b',
  ]);
});

test('screenOf: a terminal, a pipe, and environment variables', () => {
  const terminal = { isTTY: true, columns: 120, rows: 40 };
  expect(screenOf(terminal, {})).toMatchObject({ columns: 120, rows: 40 });
  expect(screenOf(terminal, {}).style.bold('x')).toBe('\x1b[1mx\x1b[22m');
  expect(screenOf(terminal, { NO_COLOR: '1' }).style.bold('x')).toBe('x');
  expect(screenOf(terminal, { NO_COLOR: '' }).style.bold('x')).not.toBe('x');
  expect(screenOf({}, { FORCE_COLOR: '1' }).style.bold('x')).not.toBe('x');
  expect(screenOf({}, { FORCE_COLOR: '1', NO_COLOR: '1' }).style.bold('x')).toBe('x');
  expect(screenOf(terminal, { FORCE_COLOR: '0' }).style.bold('x')).toBe('x');
  expect(screenOf(terminal, { TERM: 'dumb' }).style.bold('x')).toBe('x');
  expect(screenOf({ columns: 80 }, {})).toMatchObject({ columns: null, rows: null });
  expect(screenOf({}, { COLUMNS: '90' }).columns).toBe(90);
  expect(screenOf({}, { COLUMNS: 'wide' }).columns).toBe(null);
  expect(screenOf({ isTTY: true, columns: 5 }, {}).columns).toBe(20);
  expect(screenOf({}, {}).style.red('x')).toBe('x');
});

test('times', () => {
  const now = Date.parse('2026-11-16T09:31:30Z');
  expect(timeText('2026-11-16T09:31:00.000Z')).toBe('2026-11-16 09:31');
  expect(timeText(1_769_860_800)).toBe('2026-01-31 12:00');
  expect(timeText('soon')).toBe('–');
  expect(ageText('2026-11-16T09:31:00Z', now)).toBe('30 s ago');
  expect(ageText('2026-11-16T08:31:00Z', now)).toBe('61 min ago');
  expect(ageText('2026-11-14T08:31:00Z', now)).toBe('2 days ago');
  expect(ageText('2027-01-01T00:00:00Z', now)).toBe('0 s ago');
  expect(ageText(null, now)).toBe('–');
});
