import { describe, expect, test } from 'vitest';
import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import { type QueueEvent, replayQueue } from './ratedRequests.ts';
import type { ShareTransfer } from './vaultLogs.ts';

const [ALICE, BOB, CAROL, QUEUE] = [1, 2, 3, 4].map(
  (digit): Address => `0x${String(digit).repeat(40)}`,
) as [Address, Address, Address, Address];
const TX: Hex = '0x01';

function event(action: QueueEvent['action'], given: Partial<QueueEvent>): QueueEvent {
  const nothing = { wallet: null, numbers: null, next: null, shares: null, assets: null, fee: 0n };
  return { block: 1, transaction: TX, contract: QUEUE, action, ...nothing, ...given };
}

function request(wallet: Address, id: bigint, shares: bigint): QueueEvent {
  return event('request', { wallet, numbers: [{ from: id, to: id }], shares });
}

function transfer(from: Address, to: Address, value: bigint): ShareTransfer {
  return { block: 1, transaction: TX, from, to, value };
}

function openAfter(events: readonly QueueEvent[], transfers: readonly ShareTransfer[] = []) {
  return Object.fromEntries(replayQueue(events, transfers, new Set([QUEUE])));
}

describe('replayQueue', () => {
  test('behavior: a separate burn in the same transaction does not mark a request as burned', () => {
    const events = [request(ALICE, 1n, 40n), request(BOB, 2n, 7n)];
    const transfers = [
      transfer(ALICE, QUEUE, 40n),
      transfer(BOB, ZERO_ADDRESS, 7n),
      transfer(CAROL, ZERO_ADDRESS, 5n),
    ];
    expect(openAfter(events, transfers)).toEqual({
      [ALICE]: { pending: 40n, claimable: 0n, burned: 0n },
      [BOB]: { pending: 7n, claimable: 0n, burned: 7n },
    });
  });

  test('behavior: a wallet without a request under a shared number ends none', () => {
    const open = [request(ALICE, 1n, 40n), request(BOB, 1n, 7n), request(BOB, 2n, 9n)];
    const claim = (wallet: Address, id: bigint) =>
      event('claim', { wallet, numbers: [{ from: id, to: id }] });
    expect(openAfter([...open, claim(CAROL, 1n)])).toMatchObject({
      [ALICE]: { pending: 40n },
      [BOB]: { pending: 16n },
    });
    // The only request with this number was bought.
    expect(openAfter([...open, claim(CAROL, 2n)])).toMatchObject({ [BOB]: { pending: 7n } });
    expect(openAfter([...open, claim(BOB, 1n)])).toMatchObject({
      [ALICE]: { pending: 40n },
      [BOB]: { pending: 9n },
    });
  });

  test('behavior: claims without numbers, processed together, each end what was promised their amount', () => {
    const ask = (wallet: Address, shares: bigint, assets: bigint) =>
      event('request', { wallet, shares, assets });
    const open = [ask(ALICE, 40n, 50n), ask(ALICE, 9n, 11n), ask(ALICE, 3n, 4n), ask(BOB, 7n, 9n)];
    const paid = (wallet: Address, assets: bigint) => event('claim', { wallet, assets });
    const transfers = [transfer(QUEUE, ZERO_ADDRESS, 56n)];
    expect(openAfter([...open, paid(ALICE, 61n), paid(BOB, 9n)], transfers)).toEqual({
      [ALICE]: { pending: 3n, claimable: 0n, burned: 0n },
    });
  });
});
