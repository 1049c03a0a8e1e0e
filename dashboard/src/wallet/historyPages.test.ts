import type { HistoryItem } from '@assay/client';
import { describe, expect, test } from 'vitest';
import { type Read, renewed } from './historyPages.ts';

const item = (tx: string) => ({ chainId: 1, transactionHash: tx }) as HistoryItem<bigint>;
const items = (text: string) => [...text].map(item);
const read = (text: string, cursor: string | null): Read => ({
  items: items(text),
  incomplete: [],
  cursor,
  error: undefined,
});
const page = (text: string, nextCursor: string | null) => ({
  items: items(text),
  nextCursor,
  incompleteChains: [],
});
const shown = (one: Read) => [
  one.items.map(({ transactionHash }) => transactionHash).join(''),
  one.cursor,
];

describe('renewed', () => {
  test('default: what is new comes in front of what was read', () => {
    expect(shown(renewed(read('edcba', 'next'), page('gfe', 'more')))).toEqual(['gfedcba', 'next']);
  });

  test('behavior: what a reorganisation took back goes', () => {
    expect(shown(renewed(read('edcba', 'next'), page('hdc', 'more')))).toEqual(['hdcba', 'next']);
  });

  test('behavior: more than a page that is new begins anew', () => {
    expect(shown(renewed(read('cba', 'next'), page('zyx', 'more')))).toEqual(['zyx', 'more']);
  });

  test('behavior: the only page is all there is', () => {
    expect(shown(renewed(read('cba', null), page('dc', null)))).toEqual(['dc', null]);
    expect(shown(renewed(read('a', null), page('', null)))).toEqual(['', null]);
  });
});
