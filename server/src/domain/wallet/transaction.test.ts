import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Address, type Hex, ZERO_ADDRESS } from '../hex.ts';
import type { VaultEvent } from '../vault/event.ts';
import type { Ratio } from '../vault/ratio.ts';
import { createCustodyFlows } from './custodyFlows.ts';
import { createMovementList } from './movement.ts';
import { pairTransfers } from './pairs.ts';
import { createPlayer } from './transaction.ts';
import { createTransferBook } from './transferBook.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const ALICE = address('a');
const BOB = address('b');
const VAULT = address('1');
const ROUTER = address('2');
const TX: Hex = `0x${'0'.repeat(64)}`;
/** Two base units of assets per base unit of shares, at 6 decimals. */
const PRICE: Ratio = { assets: 2_000_000n, shares: 1_000_000n };
const SILO = address('3');
const FEES = address('4');

type Body = VaultEvent extends infer E
  ? E extends VaultEvent
    ? Omit<E, 'place' | 'txHash'>
    : never
  : never;

function move(...bodies: Body[]) {
  return priced(PRICE, bodies);
}

function priced(
  price: Ratio | null,
  bodies: readonly Body[],
  by: 'events' | 'transfers' = 'events',
) {
  const transaction = bodies.map((body, logIndex) => ({
    event: {
      ...body,
      place: { blockTime: 100, chainId: 1, blockNumber: 10, logIndex },
      txHash: TX,
    } as VaultEvent,
    price,
  }));
  const movements = createMovementList();
  const flows = createCustodyFlows(movements);
  const events = transaction.map(({ event }) => event);
  const play = createPlayer({
    accounts: {
      vaults: new Set([VAULT]),
      custody: new Set(by === 'events' ? [VAULT] : [SILO]),
      routers: new Set([ROUTER]),
      feeHolders: new Set([FEES]),
    },
    movements,
    flows,
    book: by === 'events' ? null : createTransferBook(new Map([[BOB, 20n]])),
    hasClaimed: () => false,
    paidTo: 'receiver',
    byBlock: false,
  });
  play(transaction, pairTransfers(events));
  if (transaction.length > 0) flows.settle(transaction.at(-1)!.event.place);
  return movements.all;
}

function show(movements: ReturnType<typeof move>) {
  const name = new Map([
    [ALICE, 'alice'],
    [BOB, 'bob'],
    [VAULT, 'vault'],
    [ROUTER, 'router'],
  ]);
  return movements.map(({ wallet, kind, shares, assets }) => {
    return `${name.get(wallet)} ${kind} ${shares} for ${assets}`;
  });
}

const transfer = (from: Address, to: Address, shares: bigint): Body => ({
  kind: 'transfer',
  from,
  to,
  shares,
});
const mint = (to: Address, shares: bigint) => transfer(ZERO_ADDRESS, to, shares);
const burn = (from: Address, shares: bigint) => transfer(from, ZERO_ADDRESS, shares);
const deposit = (owner: Address, assets: bigint, shares: bigint): Body => ({
  kind: 'deposit',
  sender: owner,
  owner,
  assets,
  shares,
});
const withdraw = (owner: Address, receiver: Address, assets: bigint, shares: bigint): Body => ({
  kind: 'withdraw',
  owner,
  receiver,
  assets,
  shares,
});
const request = (owner: Address, receiver: Address, shares: bigint): Body => ({
  kind: 'redeem-request',
  owner,
  receiver,
  assets: shares * 2n,
  shares,
});

describe('createPlayer', () => {
  test('default', () => {
    expect(show(move(mint(ALICE, 50n), deposit(ALICE, 100n, 50n)))).toEqual([
      'alice deposit 50 for 100',
    ]);
  });

  test('behavior: a transfer leaves one wallet and reaches the other at the price before it', () => {
    expect(show(move(transfer(ALICE, BOB, 30n)))).toEqual([
      'alice sent 30 for 0',
      'bob received 30 for 60',
    ]);
  });

  test('behavior: the value of a transfer before any price is unknown', () => {
    expect(show(priced(null, [transfer(ALICE, BOB, 30n)]))).toEqual([
      'alice sent 30 for 0',
      'bob received 30 for 0',
    ]);
  });

  test('behavior: a transfer to oneself moves nothing', () => {
    expect(move(transfer(ALICE, ALICE, 30n))).toEqual([]);
  });

  test('behavior: the movements of one log are numbered', () => {
    const parts = move(transfer(ALICE, BOB, 1n), transfer(BOB, ALICE, 1n));
    expect(parts.map(({ place, part }) => [place.logIndex, part])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]);
  });

  test('behavior: an instant withdrawal is realized by the owner, regardless of the receiver', () => {
    expect(show(move(burn(ALICE, 50n), withdraw(ALICE, BOB, 99n, 50n)))).toEqual([
      'alice exit 50 for 99',
    ]);
  });

  test('behavior: an instant withdrawal through a router is realized by its user', () => {
    const exit = [
      transfer(ALICE, ROUTER, 50n),
      burn(ROUTER, 50n),
      withdraw(ROUTER, ALICE, 99n, 50n),
    ];
    expect(show(move(...exit))).toEqual(['alice exit 50 for 99']);
  });

  test('behavior: an exit through a router for another wallet passes to that wallet first', () => {
    const exit = [transfer(ALICE, ROUTER, 50n), burn(ROUTER, 50n), withdraw(ROUTER, BOB, 99n, 50n)];
    expect(show(move(...exit))).toEqual([
      'alice sent 50 for 0',
      'bob received 50 for 100',
      'bob exit 50 for 99',
    ]);
  });

  test('behavior: a router that pays itself exits for its users', () => {
    const exit = [
      transfer(ALICE, ROUTER, 10n),
      transfer(BOB, ROUTER, 20n),
      burn(ROUTER, 30n),
      withdraw(ROUTER, ROUTER, 100n, 30n),
    ];
    expect(show(move(...exit))).toEqual(['alice exit 10 for 33', 'bob exit 20 for 67']);
  });

  test('behavior: a deposit by a router for a wallet is the wallet’s', () => {
    expect(show(move(mint(ALICE, 50n), deposit(ALICE, 100n, 50n)))).toEqual([
      'alice deposit 50 for 100',
    ]);
  });

  test('behavior: a router that deposits and forwards deposits for the receiver of the shares', () => {
    const forwarded = [
      mint(ROUTER, 50n),
      deposit(ROUTER, 101n, 50n),
      transfer(ROUTER, ALICE, 30n),
      transfer(ROUTER, BOB, 20n),
    ];
    expect(show(move(...forwarded))).toEqual(['alice deposit 30 for 60', 'bob deposit 20 for 41']);
  });

  test('behavior: shares of a deposit that its router burns as a fee leave the payment to the others', () => {
    const deposited = [mint(ROUTER, 50n), deposit(ROUTER, 101n, 50n)];
    const [fee, handed] = [burn(ROUTER, 5n), transfer(ROUTER, ALICE, 45n)];
    for (const acts of [
      [...deposited, fee, handed],
      [...deposited, handed, fee],
      [...deposited, handed, transfer(ROUTER, FEES, 5n)],
    ]) {
      expect(show(move(...acts))).toEqual(['alice deposit 45 for 101']);
    }
    const shared = [...deposited, fee, transfer(ROUTER, ALICE, 30n), transfer(ROUTER, BOB, 15n)];
    expect(show(move(...shared))).toEqual(['alice deposit 30 for 67', 'bob deposit 15 for 34']);
    // Over a bridge, to another chain.
    expect(move(...deposited, burn(ROUTER, 50n))).toEqual([]);
    // Whose shares were burned is unknown.
    const mixed = [transfer(BOB, ROUTER, 5n), ...deposited, fee, transfer(ROUTER, ALICE, 50n)];
    expect(show(move(...mixed))).toEqual(['bob sent 5 for 0', 'alice deposit 50 for 101']);
  });

  test('behavior: shares that a router held since earlier are received at their value', () => {
    expect(show(move(transfer(ROUTER, ALICE, 30n)))).toEqual(['alice received 30 for 60']);
  });

  test('behavior: a user’s shares through a router to another wallet are a transfer', () => {
    const through = [transfer(ALICE, ROUTER, 30n), transfer(ROUTER, BOB, 30n)];
    expect(show(move(...through))).toEqual(['alice sent 30 for 0', 'bob received 30 for 60']);
  });

  test('behavior: shares in the queue still belong to the wallet that will be paid', () => {
    expect(move(request(ALICE, ALICE, 50n), transfer(ALICE, VAULT, 50n))).toEqual([]);
    expect(show(move(request(ALICE, BOB, 50n), transfer(ALICE, VAULT, 50n)))).toEqual([
      'alice sent 50 for 0',
      'bob received 50 for 100',
    ]);
  });

  test('behavior: a request through a router belongs to its receiver', () => {
    const queued = (receiver: Address) => [
      transfer(ALICE, ROUTER, 50n),
      request(ROUTER, receiver, 50n),
      transfer(ROUTER, VAULT, 50n),
    ];
    expect(move(...queued(ALICE))).toEqual([]);
    expect(show(move(...queued(BOB)))).toEqual(['alice sent 50 for 0', 'bob received 50 for 100']);
  });

  test('behavior: a fulfilment is the receiver’s exit', () => {
    expect(show(move(burn(VAULT, 50n), withdraw(VAULT, BOB, 98n, 50n)))).toEqual([
      'bob exit 50 for 98',
    ]);
  });

  test('behavior: a cancel returns shares that already belonged to the receiver', () => {
    const cancel: Body = { kind: 'cancel', receiver: BOB, assets: 100n, shares: 50n };
    expect(move(cancel, transfer(VAULT, BOB, 50n))).toEqual([]);
  });

  test('behavior: shares minted without a deposit are received, burned without an exit sent', () => {
    expect(show(move(mint(ALICE, 7n)))).toEqual(['alice received 7 for 0']);
    const sold: Body = { kind: 'transfer', from: ZERO_ADDRESS, to: ALICE, shares: 7n, worth: true };
    expect(show(move(sold))).toEqual(['alice received 7 for 14']);
    expect(show(move(burn(ALICE, 7n)))).toEqual(['alice sent 7 for 0']);
    expect(show(move(mint(ALICE, 7n), mint(ALICE, 50n), deposit(ALICE, 100n, 50n)))).toEqual([
      'alice received 7 for 0',
      'alice deposit 50 for 100',
    ]);
  });

  test('behavior: shares taken as a fee are an exit for nothing', () => {
    // A fee burned in addition to the payment, before or after it.
    const paid = [burn(ALICE, 50n), withdraw(ALICE, BOB, 99n, 50n)];
    expect(show(move(...paid, burn(ALICE, 7n)))).toEqual([
      'alice exit 50 for 99',
      'alice exit 7 for 0',
    ]);
    expect(show(move(burn(ALICE, 7n), ...paid))).toEqual([
      'alice exit 7 for 0',
      'alice exit 50 for 99',
    ]);
    // A burn by another wallet can have any reason.
    expect(show(move(...paid, burn(BOB, 7n)))).toEqual([
      'alice exit 50 for 99',
      'bob sent 7 for 0',
    ]);
    expect(show(move(transfer(ALICE, FEES, 7n)))).toEqual(['alice exit 7 for 0']);
    expect(show(move(transfer(ALICE, ROUTER, 7n), transfer(ROUTER, FEES, 7n)))).toEqual([
      'alice exit 7 for 0',
    ]);
    expect(move(burn(FEES, 7n))).toEqual([]);
  });

  test('behavior: shares taken as a fee from an exit through a router are its user’s loss', () => {
    const burned = (from: Address, to: Address) => [
      transfer(ALICE, ROUTER, from === ROUTER ? 57n : 50n),
      burn(ROUTER, 50n),
      withdraw(ROUTER, to, 99n, 50n),
      burn(from, 7n),
    ];
    for (const acts of [burned(ROUTER, ALICE), burned(ROUTER, ROUTER), burned(ALICE, ALICE)]) {
      expect(show(move(...acts))).toEqual(['alice exit 50 for 99', 'alice exit 7 for 0']);
    }
    // The burn comes before the payment.
    const [sent, ...paid] = burned(ROUTER, ALICE);
    const before = [sent!, paid[2]!, ...paid.slice(0, 2)];
    expect(show(move(...before))).toEqual(['alice exit 7 for 0', 'alice exit 50 for 99']);
    // Without a payment, the burn could be a bridge transfer.
    const bridged = [transfer(ALICE, ROUTER, 50n), burn(ROUTER, 50n)];
    expect(show(move(...bridged))).toEqual(['alice sent 50 for 0']);
  });

  test('behavior: shares that an asynchronous vault mints to itself are deposited at the claim', () => {
    expect(move(mint(VAULT, 50n))).toEqual([]);
    expect(show(move(transfer(VAULT, ALICE, 50n), deposit(ALICE, 100n, 50n)))).toEqual([
      'alice deposit 50 for 100',
    ]);
  });

  test('behavior: a deposit belongs to the wallet that got the shares, even if the event names another owner', () => {
    expect(show(move(mint(BOB, 50n), deposit(ALICE, 100n, 50n)))).toEqual([
      'bob deposit 50 for 100',
    ]);
  });

  test('behavior: shares sent to the vault itself leave for nothing, and shares from it without a deposit are received', () => {
    expect(show(move(transfer(ALICE, VAULT, 5n)))).toEqual(['alice sent 5 for 0']);
    expect(show(move(transfer(VAULT, ALICE, 5n)))).toEqual(['alice received 5 for 10']);
  });

  test('behavior: an exit paid to the vault itself is a penalty', () => {
    expect(show(move(burn(ALICE, 5n), withdraw(ALICE, VAULT, 10n, 5n)))).toEqual([
      'alice exit 5 for 0',
    ]);
  });

  test('behavior: an exit paid into a silo is its owner’s', () => {
    const exit = [burn(ALICE, 5n), withdraw(ALICE, SILO, 10n, 5n)];
    expect(show(priced(PRICE, exit, 'transfers'))).toEqual(['alice exit 5 for 10']);
  });

  test('behavior: shares in a queue outside the vault belong to the wallet that queued them', () => {
    const play = (...bodies: Body[]) => show(priced(PRICE, bodies, 'transfers'));
    expect(play(transfer(ALICE, SILO, 5n))).toEqual([]);
    expect(play(transfer(SILO, BOB, 20n))).toEqual([]);
    expect(play(burn(SILO, 20n), withdraw(SILO, BOB, 41n, 20n))).toEqual(['bob exit 20 for 41']);
    // The shares belong to the wallet that queued first, regardless of the receiver.
    expect(play(transfer(SILO, ALICE, 8n))).toEqual([
      'bob sent 8 for 0',
      'alice received 8 for 16',
    ]);
    expect(play(burn(SILO, 8n), withdraw(SILO, ALICE, 17n, 8n))).toEqual(['bob exit 8 for 17']);
  });

  test('behavior: several actions in one transaction stay separate', () => {
    const acts = [
      mint(ALICE, 50n),
      deposit(ALICE, 100n, 50n),
      mint(BOB, 10n),
      deposit(BOB, 20n, 10n),
      transfer(ALICE, BOB, 5n),
      burn(BOB, 15n),
      withdraw(BOB, BOB, 29n, 15n),
    ];
    expect(show(move(...acts))).toEqual([
      'alice deposit 50 for 100',
      'bob deposit 10 for 20',
      'alice sent 5 for 0',
      'bob received 5 for 10',
      'bob exit 15 for 29',
    ]);
  });

  test('behavior: a transfer of zero shares is not a movement', () => {
    expect(move(deposit(ALICE, 0n, 0n), transfer(ALICE, BOB, 0n), mint(ALICE, 0n))).toEqual([]);
  });

  // Anyone can send such a transaction. It once caused a division by zero that would have stopped the chain.
  test('behavior: a transfer of zero shares to a router has no effect', () => {
    const acts = [
      transfer(BOB, ROUTER, 0n),
      deposit(ROUTER, 5n, 0n),
      transfer(ALICE, ROUTER, 50n),
      burn(ROUTER, 50n),
      withdraw(ROUTER, ALICE, 99n, 50n),
    ];
    expect(show(move(...acts))).toEqual(['alice exit 50 for 99']);
  });

  test('behavior: any events give movements, each with a unique order', () => {
    const who = fc.constantFrom(ALICE, BOB, VAULT, ROUTER, ZERO_ADDRESS);
    const amount = fc.bigInt({ min: 0n, max: 5n });
    const body = fc.oneof(
      fc.tuple(who, who, amount).map(([from, to, shares]) => transfer(from, to, shares)),
      fc.tuple(who, amount, amount).map(([owner, a, s]) => deposit(owner, a, s)),
      fc.tuple(who, who, amount, amount).map(([o, r, a, s]) => withdraw(o, r, a, s)),
      fc.tuple(who, who, amount).map(([o, r, s]) => request(o, r, s)),
    );
    fc.assert(
      fc.property(fc.array(body, { maxLength: 12 }), (bodies) => {
        const movements = move(...bodies);
        const keys = movements.map(({ place, part }) => `${place.logIndex} ${part}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const { wallet, shares, assets } of movements) {
          expect([VAULT, ROUTER]).not.toContain(wallet);
          expect(shares >= 0n && assets >= 0n).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('behavior: wallets never lose or gain a share against the token', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(6), fc.nat(1), fc.bigInt(1n, 9n)), { maxLength: 30 }),
        (acts) => {
          const balance = new Map<Address, bigint>();
          const held = new Map<Address, bigint>();
          const add = (map: Map<Address, bigint>, key: Address, by: bigint) =>
            map.set(key, (map.get(key) ?? 0n) + by);
          for (const [act, who, shares] of acts) {
            const me = who === 0 ? ALICE : BOB;
            const other = who === 0 ? BOB : ALICE;
            const bodies: Body[] = [
              [mint(me, shares), deposit(me, shares, shares)],
              [transfer(me, other, shares)],
              [burn(me, shares), withdraw(me, other, shares, shares)],
              [mint(ROUTER, shares), deposit(ROUTER, shares, shares), transfer(ROUTER, me, shares)],
              [
                transfer(me, ROUTER, shares),
                burn(ROUTER, shares),
                withdraw(ROUTER, other, shares, shares),
              ],
              [
                transfer(me, ROUTER, shares),
                burn(ROUTER, shares),
                withdraw(ROUTER, ROUTER, shares, shares),
              ],
              [mint(me, shares)],
            ][act]!;
            for (const body of bodies) {
              if (body.kind !== 'transfer') continue;
              add(balance, body.from, -body.shares);
              add(balance, body.to, body.shares);
            }
            for (const { wallet, kind, shares: moved } of move(...bodies)) {
              add(held, wallet, kind === 'deposit' || kind === 'received' ? moved : -moved);
            }
          }
          for (const wallet of [ALICE, BOB]) {
            expect(held.get(wallet) ?? 0n).toBe(balance.get(wallet) ?? 0n);
          }
        },
      ),
    );
  });
});
