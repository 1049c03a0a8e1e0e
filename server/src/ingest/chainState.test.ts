import { expect, test } from 'vitest';
import { openedAtOnce } from './chainState.ts';

test('behavior: all chains together open no more families at once than a few chains do', () => {
  expect([1, 4, 8, 30].map(openedAtOnce)).toEqual([16, 16, 8, 2]);
});

test('behavior: each of many chains still opens some', () => {
  expect(openedAtOnce(1_000)).toBe(2);
});
