import { expect, test } from 'vitest';
import { createImportBar } from './importProgress.ts';

function screen(isTTY: boolean) {
  let text = '';
  let time = 0;
  const stream = { isTTY, columns: 60, write: (part: string) => (text += part) };
  const bar = createImportBar({ stream, now: () => time });
  return { bar, text: () => text, pass: (ms: number) => (time += ms) };
}

test('default', () => {
  const { bar, text, pass } = screen(true);
  bar.update({ source: 'pools', phase: 'reading', done: 1000, total: null });
  bar.update({ source: 'pools', phase: 'reading', done: 2000, total: null });
  pass(200);
  bar.update({ source: 'pools', phase: 'storing', done: 50, total: 100 });
  bar.clear();
  const lines = text().split('\r\x1b[K');
  expect(lines).toEqual([
    '',
    'pools  reading 1000',
    'pools  [===============               ]  storing 50 of 100',
    '',
  ]);
});

test('behavior: no wider than the terminal, nothing elsewhere', () => {
  const wide = screen(true);
  wide.bar.update({ source: 'x'.repeat(100), phase: 'reading', done: 0, total: 0 });
  expect(wide.text()).toBe(`\r\x1b[K${'x'.repeat(59)}`);
  const piped = screen(false);
  piped.bar.update({ source: 'a', phase: 'reading', done: 0, total: 1 });
  piped.bar.clear();
  expect(piped.text()).toBe('');
});
