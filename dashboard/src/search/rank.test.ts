import { describe, expect, test } from 'vitest';
import { type Found, isAddress, isTransactionHash, rank } from './rank.ts';

const entry = (title: string, kind: Found['kind'] = 'Docs', text = ''): Found => ({
  ...{ kind, title, note: '', href: '/', text },
});
const titles = (entries: readonly Found[], query: string, max = 5) =>
  rank(entries, query, max).map(({ title }) => title);

describe('rank', () => {
  test('default: the start of a title, then of a word, then its middle, then other text', () => {
    const entries = [
      entry('About', 'Docs', 'usd'),
      entry('Susde'),
      entry('Savings USD'),
      entry('USD Coin'),
    ];
    expect(titles(entries, 'usd')).toEqual(['USD Coin', 'Savings USD', 'Susde', 'About']);
  });

  test('default: all words must occur, in any order and case', () => {
    const entries = [entry('Savings USD'), entry('Savings ETH')];
    expect(titles(entries, 'eth SAVINGS')).toEqual(['Savings ETH']);
    expect(titles(entries, 'eth usd')).toEqual([]);
  });

  test('behavior: each kind has a limit, and an empty query finds nothing', () => {
    const many = Array.from({ length: 9 }, (_, index) => entry(`Pool ${index}`, 'Pools'));
    expect(titles([...many, entry('Pool')], 'pool', 3)).toHaveLength(4);
    expect(titles(many, '  ')).toEqual([]);
  });
});

test('default: addresses and hashes', () => {
  expect(isAddress(` 0x${'aB'.repeat(20)} `)).toBe(true);
  expect(isAddress(`0x${'ab'.repeat(32)}`)).toBe(false);
  expect(isTransactionHash(`0x${'ab'.repeat(32)}`)).toBe(true);
  expect(isTransactionHash('0xzz')).toBe(false);
});
