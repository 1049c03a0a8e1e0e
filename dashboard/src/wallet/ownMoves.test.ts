import { describe, expect, test } from 'vitest';
import { type LoggedMove, withoutOwn } from './ownMoves.ts';

const move = (type: LoggedMove['type'], shares: bigint, log = '1 5 0'): LoggedMove => ({
  ...{ family: 'svcusd', at: 100, usd: null, type, shares, log },
});

describe('withoutOwn', () => {
  test('default: a transfer between the wallets is left out', () => {
    const deposit = move('deposit', 9n, '1 4 0');
    expect(withoutOwn([deposit, move('sent', -9n), move('received', 9n)])).toEqual([deposit]);
  });

  test('behavior: transfers from and to others stay', () => {
    const moves = [move('sent', -9n), move('received', 8n), move('received', 9n, '1 5 1')];
    expect(withoutOwn(moves)).toEqual(moves);
  });

  test('behavior: each side is used once, also if a wallet sends to itself twice in one log', () => {
    const moves = [move('sent', -9n), move('sent', -9n), move('received', 9n)];
    expect(withoutOwn(moves)).toEqual([moves[1]]);
  });
});
