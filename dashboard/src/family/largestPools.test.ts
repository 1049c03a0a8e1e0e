import { expect, test } from 'vitest';
import { largestPools } from './largestPools.ts';

const pool = (offchainId: string, value: bigint) => ({ chainId: 1, offchainId, value });

test('default: the five largest at any time, the others together, and no value lost', () => {
  const ticks = [
    {
      at: 'a',
      pools: ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'].map((id, i) => pool(id, BigInt(i))),
    },
    { at: 'b', pools: [pool('p1', 100n), pool('p7', 1n)] },
  ];
  const { names, ticks: shown } = largestPools(ticks, ({ offchainId }) => offchainId);
  expect(names).toEqual(['p1', 'p7', 'p6', 'p5', 'p4', 'Other pools']);
  expect(shown).toEqual([
    { at: 'a', amounts: [0n, 6n, 5n, 4n, 3n, 3n] },
    { at: 'b', amounts: [100n, 1n, 0n, 0n, 0n, 0n] },
  ]);
});
