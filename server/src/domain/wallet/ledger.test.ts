import { expect, test } from 'vitest';
import { ledgerOf } from './ledger.ts';

test('default: cost leaves in proportion, and only exits have a result', () => {
  const move = (
    kind: 'deposit' | 'exit' | 'received' | 'sent',
    shares: bigint,
    assets: bigint,
  ) => ({
    kind,
    shares,
    assets,
    chainId: 1,
    at: 0,
  });
  expect(
    ledgerOf([
      move('deposit', 100n, 100n),
      move('received', 100n, 120n),
      move('exit', 50n, 70n),
      move('sent', 50n, 0n),
      move('exit', 100n, 100n),
    ]),
  ).toEqual([
    { cost: 100n, result: null },
    { cost: 120n, result: null },
    { cost: -55n, result: 15n },
    { cost: -55n, result: null },
    { cost: -110n, result: -10n },
  ]);
  expect(ledgerOf([])).toEqual([]);
});
