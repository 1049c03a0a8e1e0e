import { describe, expect, test } from 'vitest';
import { type EventBody, eventsOf } from '../../../test/vaultEvents.ts';
import { type Address, ZERO_ADDRESS } from '../hex.ts';
import type { VaultEvent } from './event.ts';
import { priceRequests } from './fixedRequest.ts';
import { worthOf } from './ratio.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [ALICE, BOB, VAULT] = ['a', 'b', '1'].map(address) as [Address, Address, Address];
const START = { price: { assets: 2n, shares: 1n }, total: 20_000n };

const request = (receiver: Address, shares: bigint): EventBody[] => [
  { kind: 'transfer', from: receiver, to: VAULT, shares },
  { kind: 'redeem-request', receiver, owner: receiver, assets: null, shares },
];
const deposit = (owner: Address, assets: bigint): EventBody[] => [
  { kind: 'transfer', from: ZERO_ADDRESS, to: owner, shares: assets / 2n },
  { kind: 'deposit', sender: owner, owner, assets, shares: assets / 2n },
];
const claim = (owner: Address, assets: bigint): EventBody[] => [
  { kind: 'withdraw', receiver: owner, owner, assets, shares: assets / 2n },
];

/** Returns the values of the requests; null if the price at the end of the block applies. */
function worths(block: VaultEvent[], fallen: bigint | null) {
  const { isFixed, prices } = priceRequests(block, { ...START, fallen });
  const requests = block.flatMap((event) => (event.kind === 'redeem-request' ? event : []));
  return {
    isFixed,
    worth: prices && requests.map((event) => worthOf(event.shares, prices.get(event)!)),
  };
}

describe('priceRequests', () => {
  test('default: a request is worth the price before it', () => {
    expect(worths(eventsOf(request(ALICE, 1_000n)), 0n)).toEqual({
      isFixed: false,
      worth: [2_000n],
    });
    const fixed = { isFixed: true, worth: [2_000n] };
    expect(worths(eventsOf(request(ALICE, 1_000n)), 2_000n)).toEqual(fixed);
  });

  test('behavior: deposits and claims in the same block do not change it', () => {
    const block = eventsOf(deposit(BOB, 5_000n), request(ALICE, 1_000n), claim(BOB, 700n));
    expect(worths(block, 2_000n - 5_000n)).toEqual({ isFixed: true, worth: [2_000n] });
    expect(worths(block, -5_000n)).toEqual({ isFixed: false, worth: [2_000n] });
  });

  test('behavior: a request that fixes its payment lowers the price for the next one', () => {
    const block = eventsOf(request(ALICE, 1_000n), request(BOB, 1_000n));
    // The first request leaves 18,000 of 20,000.
    expect(worths(block, 3_800n)).toEqual({ isFixed: true, worth: [2_000n, 1_800n] });
    expect(worths(block, 0n)).toEqual({ isFixed: false, worth: [2_000n, 2_000n] });
    // The deposit shares the loss of the request.
    const joined = eventsOf(deposit(BOB, 20_000n), request(ALICE, 1_000n), request(BOB, 1_000n));
    expect(worths(joined, 3_900n - 20_000n)).toEqual({ isFixed: true, worth: [2_000n, 1_900n] });
  });

  test('behavior: a redemption that is paid at once lowers the total', () => {
    const burn: EventBody = { kind: 'transfer', from: BOB, to: ZERO_ADDRESS, shares: 350n };
    const block = eventsOf([burn, ...claim(BOB, 700n)], request(ALICE, 1_000n));
    expect(worths(block, 2_700n)).toEqual({ isFixed: true, worth: [2_000n] });
  });

  test('behavior: with an event that may change the price, the end of the block counts, unless the request caused the fall', () => {
    const block = eventsOf([{ kind: 'other' }], request(ALICE, 1_000n));
    expect(worths(block, 2_000n)).toEqual({ isFixed: true, worth: [2_000n] });
    for (const fallen of [0n, 1_900n, 5_000n, null]) {
      expect(worths(block, fallen)).toEqual({ isFixed: false, worth: null });
    }
  });

  test('behavior: without a price, that of the end of the block counts', () => {
    const start = { price: null, total: 20_000n, fallen: 2_000n };
    expect(priceRequests(eventsOf(request(ALICE, 1_000n)), start).prices).toBeNull();
  });
});
