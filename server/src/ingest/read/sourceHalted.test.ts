import { describe, expect, test } from 'vitest';
import type { Interpretation } from '../../domain/vault/interpret.ts';
import type { FamilySource } from '../sources.ts';
import { checkAmounts, checkItems, SourceHalted, TOO_MUCH } from './sourceHalted.ts';

const source = { key: 'family:x', chainId: 1 } as FamilySource;
const place = { blockTime: 1, chainId: 1, blockNumber: 7, logIndex: 0 };

function meaning(part: Record<string, readonly object[]>): Interpretation {
  return { history: [], movements: [], sharePrices: [], ...part } as unknown as Interpretation;
}

describe('checkAmounts', () => {
  test('default', () => {
    const item = { place, shares: TOO_MUCH - 1n, assets: null };
    checkAmounts(source, meaning({ history: [item], movements: [{ ...item, assets: 1n }] }));
  });

  test.each([
    ['history', { shares: TOO_MUCH, assets: 1n }],
    ['movements', { shares: 1n, assets: TOO_MUCH }],
    ['sharePrices', { price: TOO_MUCH }],
  ])('error: %s beyond any real amount', (list, amounts) => {
    const found = meaning({ [list]: [{ place, ...amounts }] });
    expect(() => checkAmounts(source, found)).toThrow(SourceHalted);
    expect(() => checkAmounts(source, found)).toThrow('family:x on chain 1 is halted: block 7');
  });
});

describe('checkItems', () => {
  const item = { place, txHash: '0x01' };

  test('default', () => {
    const next = { ...item, place: { ...place, logIndex: 1 } };
    checkItems(source, meaning({ history: [item, next, { ...item, txHash: '0x02' }] }));
  });

  test('error: one event for two wallets', () => {
    const found = meaning({ history: [item, { ...item, wallet: '0x0b' }] });
    expect(() => checkItems(source, found)).toThrow(SourceHalted);
    expect(() => checkItems(source, found)).toThrow(
      'an event that ends requests of several wallets',
    );
  });
});
