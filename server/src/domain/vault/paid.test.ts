import { describe, expect, test } from 'vitest';
import type { Accounts } from '../wallet/accounts.ts';
import { FEES, isAnyMoved, isMoved, isWorth, NEAR, type Paid } from './paid.ts';

const VAULT = '0x00000000000000000000000000000000000000aa';
const ALICE = '0x00000000000000000000000000000000000000a1';
const MARKET = '0x00000000000000000000000000000000000000b2';
const PRICE = { assets: 10n ** 33n, shares: 10n ** 33n };
const accounts: Accounts = {
  vaults: new Set([VAULT]),
  custody: new Set(),
  routers: new Set(),
};

const place = { blockTime: 0, chainId: 1, blockNumber: 1, logIndex: 0 };
const sent = { place, txHash: '0x', shares: 10n ** 18n } as const;

function deposit(assets: bigint): Paid {
  return { ...sent, kind: 'deposit', sender: ALICE, owner: ALICE, assets };
}

function exit(assets: bigint): Paid {
  return { ...sent, kind: 'withdraw', receiver: ALICE, owner: ALICE, assets };
}

describe('isWorth', () => {
  test('default: another asset at 0.1% from the price is not near it, and may be the base asset less a fee', () => {
    const staked = deposit(10n ** 18n - 10n ** 15n);
    expect(isWorth(staked, PRICE, NEAR)).toBe(false);
    expect(isWorth(staked, PRICE, FEES)).toBe(true);
  });

  test('behavior: at 0.01% it is near', () => {
    expect(isWorth(deposit(10n ** 18n - 10n ** 14n), PRICE, NEAR)).toBe(true);
  });

  test('behavior: rounding of dust is not another price', () => {
    expect(isWorth({ ...deposit(2n), shares: 1n }, PRICE, NEAR)).toBe(true);
  });
});

describe('isMoved', () => {
  const assets = 10n ** 18n;
  const moved = (
    event: Paid,
    from: typeof VAULT | typeof ALICE | typeof MARKET,
    to: typeof from,
  ) => {
    const moves = [{ from, to, amount: assets }];
    return [isMoved(event, moves, accounts), isAnyMoved(event, moves, accounts)];
  };

  test('default: into the vault, or from the payer to where it is invested', () => {
    expect(moved(deposit(assets), ALICE, VAULT)).toEqual([true, true]);
    expect(moved(deposit(assets), ALICE, MARKET)).toEqual([true, true]);
    expect(moved(exit(assets), MARKET, ALICE)).toEqual([true, true]);
  });

  test('behavior: a moved amount that differs from the event', () => {
    expect(moved(deposit(assets + 1n), ALICE, VAULT)).toEqual([false, true]);
  });

  test('behavior: a move between other accounts has no part in the deposit', () => {
    expect(moved(deposit(assets), MARKET, ALICE)).toEqual([false, false]);
  });
});
