import { describe, expect, test } from 'vitest';
import { type EventBody, eventsOf } from '../../../test/vaultEvents.ts';
import { type Address, ZERO_ADDRESS } from '../hex.ts';
import type { Accounts } from '../wallet/accounts.ts';
import { findCustody } from './custody.ts';
import { NOTHING_QUEUED, type WalletQueue } from './queue.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [ALICE, BOB, VICTIM, VAULT, SILO] = ['a', 'b', 'c', '1', '5'].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

const request: EventBody = {
  kind: 'redeem-request',
  owner: ALICE,
  receiver: BOB,
  assets: 9n,
  shares: 9n,
};
const transfer = (to: Address, from = ALICE, shares = 9n): EventBody => {
  return { kind: 'transfer', from, to, shares };
};

function find(bodies: EventBody[], after?: ReadonlyMap<Address, WalletQueue>): Address[] {
  const accounts: Accounts = {
    vaults: new Set([VAULT]),
    custody: new Set(),
    routers: new Set(),
  };
  return findCustody(eventsOf(bodies), accounts, after, () => NOTHING_QUEUED);
}

describe('findCustody', () => {
  test('default: the account that received the shares of a request, before or after the event', () => {
    expect(find([transfer(SILO), request])).toEqual([SILO]);
    expect(find([request, transfer(SILO)])).toEqual([SILO]);
  });

  test('behavior: an account that received forwarded shares is not a custody account', () => {
    expect(find([transfer(VICTIM), request, transfer(VAULT)])).toEqual([]);
    expect(find([transfer(VICTIM), transfer(ZERO_ADDRESS), request])).toEqual([]);
    expect(find([transfer(VICTIM), request, transfer(SILO)])).toEqual([]);
  });

  test('behavior: shares bought at once in the block of a settlement are not custody', () => {
    const after = new Map([[ALICE, { ...NOTHING_QUEUED, depositShares: 9n }]]);
    const mint = transfer(SILO, ZERO_ADDRESS);
    expect(find([mint], after)).toEqual([SILO]);
    const bought: EventBody[] = [
      transfer(VICTIM, ZERO_ADDRESS),
      { kind: 'deposit', sender: BOB, owner: VICTIM, assets: 9n, shares: 9n },
    ];
    expect(find([mint, ...bought], after)).toEqual([SILO]);
  });
});
