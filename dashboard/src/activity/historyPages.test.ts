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
  test('default: new items come first', () => {
    expect(shown(renewed(read('edcba', 'next'), page('gfe', 'more')))).toEqual(['gfedcba', 'next']);
  });

  test('behavior: items that a reorg dropped are removed', () => {
    expect(shown(renewed(read('edcba', 'next'), page('hdc', 'more')))).toEqual(['hdcba', 'next']);
  });

  test('behavior: starts over if more than a page is new', () => {
    expect(shown(renewed(read('cba', 'next'), page('zyx', 'more')))).toEqual(['zyx', 'more']);
  });

  test('behavior: a single page replaces everything', () => {
    expect(shown(renewed(read('cba', null), page('dc', null)))).toEqual(['dc', null]);
    expect(shown(renewed(read('a', null), page('', null)))).toEqual(['', null]);
  });
});
