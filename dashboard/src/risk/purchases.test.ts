import type { Purchase } from '@assay/client';
import { describe, expect, test } from 'vitest';
import { boughtOf, spentSince } from './purchases.ts';

const AGENT = 'https://risk.example/api/v1/agent';

describe('purchases', () => {
  test.each([
    ['node/pool%3Abase%3A0x12', 'Grade', 'pool:base:0x12'],
    ['dependencies?nodeId=chain%3Abase', 'Dependencies', 'chain:base'],
    ['search?q=alpha%20usdc&label=Pool', 'Search for “alpha usdc”', undefined],
    ['schema', 'schema', undefined],
  ])('default: %s', (path, what, nodeId) => {
    expect(boughtOf(`${AGENT}/${path}`)).toEqual({ what, nodeId });
  });

  test('default: reserved amounts count as spent, written-off ones do not', () => {
    const purchase = (at: number, amount: bigint, state: Purchase['state']) =>
      ({ at, amount, state }) as Purchase;
    const all = [
      purchase(10, 1n, 'paid'),
      purchase(20, 10n, 'signed'),
      purchase(20, 100n, 'written-off'),
      purchase(30, 1_000n, 'charged'),
    ];
    expect(spentSince(all, 0)).toBe(1_011n);
    expect(spentSince(all, 15)).toBe(1_010n);
  });
});
