import { describe, expect, test } from 'vitest';
import type { FamilyConfig } from '../src/config/config.ts';
import type { Address, Hex } from '../src/domain/hex.ts';
import type { ChainEvent } from './oracleEvents.ts';
import { type HoldingPart, holdingsAt } from './oracleHoldings.ts';

const [VAULT, ROUTER, ORACLE] = [address('a0'), address('b0'), address('c0')];
const [ALICE, BOB] = [address('01'), address('02')];
const NOBODY = address('00');

function address(end: string): Address {
  return `0x${end.padStart(40, '0')}`;
}

type EmittedEvent = Pick<ChainEvent, 'eventName'> & { args: object; address?: Address };

/** Computes the holdings after these transactions, one second apart. */
function play(...transactions: readonly (readonly EmittedEvent[])[]) {
  let logIndex = 0;
  const events = transactions.flatMap((emitted, i) =>
    emitted.map((event) => ({
      address: VAULT,
      ...event,
      chainId: 1,
      time: i,
      blockNumber: i,
      logIndex: logIndex++,
      transactionHash: `0x${i}` as Hex,
    })),
  ) as ChainEvent[];
  const family = { address: VAULT, adapter: 'receiver-queue' } as unknown as FamilyConfig;
  const part: HoldingPart = {
    family,
    chain: {
      chainId: 1,
      role: 'settlement',
      address: VAULT,
      vaults: [],
      startBlock: 0,
      oracle: ORACLE,
      routers: [ROUTER],
      custody: [],
    },
    master: null,
    share: VAULT,
    shareDecimals: 0,
    events,
  };
  return Object.fromEntries(holdingsAt([part], Number.POSITIVE_INFINITY));
}

const transfer = (from: Address, to: Address, value: bigint): EmittedEvent => ({
  eventName: 'Transfer',
  args: { from, to, value },
});
const deposit = (owner: Address, assets: bigint, shares: bigint): EmittedEvent[] => [
  transfer(NOBODY, owner, shares),
  { eventName: 'Deposit', args: { sender: owner, owner, assets, shares } },
];
const withdraw = (
  owner: Address,
  receiver: Address,
  assets: bigint,
  shares: bigint,
): EmittedEvent[] => [
  transfer(owner, NOBODY, shares),
  { eventName: 'Withdraw', args: { sender: owner, receiver, owner, assets, shares } },
];
const price = (value: bigint): EmittedEvent => ({
  eventName: 'SharePriceUpdated',
  address: ORACLE,
  args: { vault: VAULT, price: value, timestamp: 0n },
});

describe('holdingsAt', () => {
  test('default', () => {
    expect(play([...deposit(ALICE, 100n, 10n)], [...withdraw(ALICE, ALICE, 45n, 4n)])).toEqual({
      [ALICE]: { shares: 6n, cost: 60n, realized: 5n },
    });
  });

  test('behavior: received at the price before the log, sent at cost', () => {
    expect(
      play([...deposit(ALICE, 100n, 10n)], [price(12n)], [transfer(ALICE, BOB, 5n), price(20n)]),
    ).toEqual({
      [ALICE]: { shares: 5n, cost: 50n, realized: 0n },
      [BOB]: { shares: 5n, cost: 60n, realized: 0n },
    });
  });

  test('behavior: a deposit through a router is the wallet’s', () => {
    expect(play([...deposit(ROUTER, 100n, 10n), transfer(ROUTER, ALICE, 10n)])).toEqual({
      [ALICE]: { shares: 10n, cost: 100n, realized: 0n },
    });
  });

  test('behavior: an exit through a router is the receiver’s', () => {
    const exit = [transfer(ALICE, ROUTER, 10n), ...withdraw(ROUTER, BOB, 130n, 10n)];
    expect(play([...deposit(ALICE, 100n, 10n)], [price(12n)], exit)).toEqual({
      [ALICE]: { shares: 0n, cost: 0n, realized: 0n },
      [BOB]: { shares: 0n, cost: 0n, realized: 10n },
    });
  });

  test('behavior: an exit paid to a router belongs to the wallet that gave it the shares', () => {
    const exit = [
      transfer(ALICE, ROUTER, 6n),
      transfer(BOB, ROUTER, 3n),
      ...withdraw(ROUTER, ROUTER, 90n, 9n),
    ];
    expect(play([...deposit(ALICE, 100n, 10n)], [...deposit(BOB, 30n, 3n)], exit)).toEqual({
      [ALICE]: { shares: 4n, cost: 40n, realized: 0n },
      [BOB]: { shares: 0n, cost: 0n, realized: 0n },
    });
  });

  test('behavior: a queued request belongs to its receiver, and nothing is realized until it is paid', () => {
    const args = { receiver: BOB, owner: ALICE, assets: 60n, shares: 5n, instant: false };
    const request: EmittedEvent[] = [
      transfer(ALICE, VAULT, 5n),
      { eventName: 'RedeemRequest', args },
    ];
    const queued = play([...deposit(ALICE, 100n, 10n)], [price(12n)], request);
    expect(queued[BOB]).toEqual({ shares: 5n, cost: 60n, realized: 0n });
    const paid = play([...deposit(ALICE, 100n, 10n)], [price(12n)], request, [
      ...withdraw(VAULT, BOB, 65n, 5n),
    ]);
    expect(paid[BOB]).toEqual({ shares: 0n, cost: 0n, realized: 5n });
  });

  test('behavior: shares minted as a fee are received; shares burned without an exit are given up', () => {
    expect(play([price(7n)], [transfer(NOBODY, ALICE, 4n)], [transfer(ALICE, NOBODY, 1n)])).toEqual(
      { [ALICE]: { shares: 3n, cost: 21n, realized: 0n } },
    );
  });
});
