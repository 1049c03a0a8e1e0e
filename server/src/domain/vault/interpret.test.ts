import { describe, expect, test } from 'vitest';
import { type EventBody, eventsOf } from '../../../test/vaultEvents.ts';
import type { Address } from '../hex.ts';
import { type InterpretContext, interpret } from './interpret.ts';
import { NOTHING_QUEUED, type WalletQueue } from './queue.ts';
import type { Ratio } from './ratio.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const ALICE = address('a');
const BOB = address('b');
const VAULT = address('1');
const CONTEXT: InterpretContext = {
  accounts: { vaults: new Set([VAULT]), custody: new Set([VAULT]), routers: new Set() },
  shareDecimals: 3,
  lastPrice: null,
  priceAt: () => undefined,
  queue: { by: 'events' },
};
const price = (assets: bigint): Ratio => ({ assets, shares: 1_000n });

const publish = (price: bigint): EventBody => ({ kind: 'share-price', price });
const pass: EventBody = { kind: 'transfer', from: ALICE, to: BOB, shares: 500n };

describe('interpret', () => {
  test('default', () => {
    const meaning = interpret(
      eventsOf(
        [{ kind: 'deposit', sender: ALICE, owner: ALICE, assets: 10n, shares: 5n }],
        [{ kind: 'redeem-request', receiver: BOB, owner: ALICE, assets: 4n, shares: 2n }],
        [{ kind: 'cancel', receiver: BOB, assets: 2n, shares: 1n }],
        [{ kind: 'withdraw', receiver: BOB, owner: VAULT, assets: 2n, shares: 1n }],
        [pass],
      ),
      CONTEXT,
    );
    expect(
      meaning.history.map(({ type, wallet, assets, shares, place }) => {
        return [type, wallet, assets, shares, place.logIndex];
      }),
    ).toEqual([
      ['deposit', ALICE, 10n, 5n, 0],
      ['redeem', BOB, 4n, 2n, 1],
      ['cancel', BOB, 2n, 1n, 2],
      ['withdraw', BOB, 2n, 1n, 3],
    ]);
  });

  test('behavior: a share is worth the last price published before it', () => {
    const meaning = interpret(
      eventsOf([publish(2_000n)], [pass], [publish(3_000n)], [pass]),
      CONTEXT,
    );
    const received = meaning.movements.filter(({ kind }) => kind === 'received');
    expect(received.map(({ assets }) => assets)).toEqual([1_000n, 1_500n]);
    expect(meaning.sharePrices.map(({ price }) => price)).toEqual([2_000n, 3_000n]);
    expect(meaning.lastPrice).toEqual(price(3_000n));
  });

  test('behavior: also within one transaction', () => {
    const meaning = interpret(eventsOf([pass, publish(3_000n), pass]), {
      ...CONTEXT,
      lastPrice: price(2_000n),
    });
    const received = meaning.movements.filter(({ kind }) => kind === 'received');
    expect(received.map(({ assets }) => assets)).toEqual([1_000n, 1_500n]);
  });

  test('behavior: a deposit publishes no price where an oracle does', () => {
    const trade: EventBody = {
      kind: 'deposit',
      sender: ALICE,
      owner: ALICE,
      assets: 10n,
      shares: 5n,
    };
    expect(interpret(eventsOf([trade]), CONTEXT).lastPrice).toBeNull();
  });

  test('behavior: without an oracle, the vault itself returns the value of shares at a block', () => {
    const asked: EventBody = {
      kind: 'redeem-request',
      receiver: ALICE,
      owner: ALICE,
      assets: null,
      shares: 3n,
    };
    const converted = { ...CONTEXT, priceAt: () => price(2_500n) };
    const meaning = interpret(eventsOf([asked], [pass]), converted);
    expect(meaning.history[0]).toMatchObject({ type: 'redeem', assets: 7n, shares: 3n });
    expect(meaning.movements.at(-1)).toMatchObject({ wallet: BOB, assets: 1_250n });
    expect(meaning.sharePrices).toEqual([]);
    expect(interpret(eventsOf([asked]), CONTEXT).history[0]).toMatchObject({ assets: null });
  });

  test('behavior: movements have their transaction, and none if a settlement may be of several', () => {
    const hashes = (queue: InterpretContext['queue'], ...transactions: EventBody[][]) =>
      interpret(eventsOf(...transactions), { ...CONTEXT, queue }).movements.map(
        ({ kind, txHash }) => [kind, txHash === null ? null : Number(txHash)],
      );
    const bought: EventBody[] = [
      { kind: 'transfer', from: `0x${'0'.repeat(40)}`, to: ALICE, shares: 5n },
      { kind: 'deposit', sender: ALICE, owner: ALICE, assets: 10n, shares: 5n },
    ];
    expect(hashes({ by: 'events' }, bought, [pass])).toEqual([
      ['deposit', 0],
      ['sent', 1],
      ['received', 1],
    ]);
    const settled = (): InterpretContext['queue'] => ({
      by: 'calls',
      held: new Map([[ALICE, { ...NOTHING_QUEUED, pendingRedeem: 50n }]]),
      at: () => new Map([[ALICE, NOTHING_QUEUED]]),
    });
    expect(hashes(settled(), [{ kind: 'other' }])).toEqual([['exit', 0]]);
    expect(hashes(settled(), [{ kind: 'other' }], [{ kind: 'other' }])).toEqual([['exit', null]]);
  });

  test('behavior: a deposit that the contract counts as settled belongs to the wallet, at its payment', () => {
    const SILO = address('5');
    const custody = new Set<Address>();
    const after = new Map<Address, WalletQueue>([
      [ALICE, { ...NOTHING_QUEUED, depositShares: 50n, depositAssets: 70n }],
    ]);
    const meaning = interpret(
      eventsOf([
        { kind: 'transfer', from: `0x${'0'.repeat(40)}`, to: SILO, shares: 50n },
        { kind: 'other' },
      ]),
      {
        ...CONTEXT,
        accounts: { ...CONTEXT.accounts, custody },
        queue: { by: 'calls', held: new Map(), at: () => after },
      },
    );
    expect(meaning.movements).toMatchObject([
      { wallet: ALICE, kind: 'deposit', shares: 50n, assets: 70n },
    ]);
    expect(meaning.custody).toMatchObject([{ account: SILO }]);
    expect(custody).toContain(SILO);
    expect(meaning.history).toEqual([]);
  });

  test('behavior: a claim by its controller for another wallet is a transfer to that wallet', () => {
    const held = new Map([[ALICE, { ...NOTHING_QUEUED, depositShares: 50n, depositAssets: 70n }]]);
    const after = new Map([[ALICE, NOTHING_QUEUED]]);
    const meaning = interpret(
      eventsOf([
        { kind: 'transfer', from: VAULT, to: BOB, shares: 50n },
        { kind: 'deposit', sender: BOB, owner: ALICE, assets: 70n, shares: 50n },
      ]),
      {
        ...CONTEXT,
        priceAt: () => price(2_000n),
        queue: { by: 'calls', held, at: () => after },
      },
    );
    expect(meaning.history).toMatchObject([{ type: 'deposit', wallet: BOB, assets: 70n }]);
    expect(
      meaning.movements.map(({ wallet, kind, shares, assets }) => [wallet, kind, shares, assets]),
    ).toEqual([
      [ALICE, 'sent', 50n, 0n],
      [BOB, 'received', 50n, 100n],
    ]);
  });

  test('behavior: a deposit that was settled and claimed between two reads is paid for once', () => {
    const held = new Map([[ALICE, { ...NOTHING_QUEUED, pendingDeposit: 100n }]]);
    const left = { ...NOTHING_QUEUED, depositShares: 30n, depositAssets: 60n, pendingDeposit: 7n };
    const meaning = interpret(
      eventsOf(
        [
          { kind: 'transfer', from: `0x${'0'.repeat(40)}`, to: ALICE, shares: 20n },
          { kind: 'deposit', sender: ALICE, owner: ALICE, assets: 40n, shares: 20n },
        ],
        [{ kind: 'deposit-request', controller: ALICE, assets: 7n }],
      ),
      { ...CONTEXT, queue: { by: 'calls', held, at: () => new Map([[ALICE, left]]) } },
    );
    expect(meaning.movements.map(({ kind, shares, assets }) => [kind, shares, assets])).toEqual([
      ['deposit', 50n, 100n],
    ]);
  });

  test('behavior: shares that vanish from a queue are an exit for nothing, unless another wallet got them', () => {
    const queued = (pendingRedeem: bigint, claimableRedeem = 0n): WalletQueue => ({
      ...{ ...NOTHING_QUEUED, pendingRedeem, claimableRedeem },
    });
    const settle = (after: Record<Address, WalletQueue>, ...bodies: EventBody[]) =>
      interpret(eventsOf([{ kind: 'other' }, ...bodies]), {
        ...CONTEXT,
        priceAt: () => price(2_000n),
        queue: {
          by: 'calls',
          held: new Map([[ALICE, queued(50n)]]),
          at: () => new Map(Object.entries(after) as [Address, WalletQueue][]),
        },
      }).movements.map(({ wallet, kind, shares, assets }) => [wallet, kind, shares, assets]);
    expect(settle({ [ALICE]: queued(0n, 48n) })).toEqual([[ALICE, 'exit', 2n, 0n]]);
    expect(settle({ [ALICE]: queued(0n, 48n), [BOB]: queued(2n) })).toEqual([
      [ALICE, 'sent', 2n, 0n],
      [BOB, 'received', 2n, 4n],
    ]);
    // A manual transfer to the vault itself, which is not a fee.
    const given: EventBody = { kind: 'transfer', from: ALICE, to: VAULT, shares: 3n };
    expect(settle({ [ALICE]: queued(0n, 48n) }, given)).toEqual([
      [ALICE, 'exit', 2n, 0n],
      [ALICE, 'sent', 3n, 0n],
    ]);
    // The payment is for more shares than were counted: all counted shares exit, and no others.
    const paid: EventBody = {
      kind: 'withdraw',
      receiver: ALICE,
      owner: ALICE,
      assets: 99n,
      shares: 52n,
    };
    expect(settle({ [ALICE]: NOTHING_QUEUED }, paid)).toEqual([[ALICE, 'exit', 50n, 99n]]);
  });

  test('behavior: a cancel without an amount is of the shares that leave custody', () => {
    const cancel = { kind: 'cancel', receiver: BOB, assets: null, shares: null } as const;
    const back = (shares: bigint): EventBody => ({
      kind: 'transfer',
      from: VAULT,
      to: BOB,
      shares,
    });
    const of = (controller: Address): EventBody => ({ ...cancel, controller });
    const { history } = interpret(
      eventsOf([back(5n), of(ALICE), back(7n), of(BOB), of(BOB)], [of(ALICE)]),
      { ...CONTEXT, lastPrice: price(2_000n) },
    );
    expect(
      history.map(({ type, wallet, assets, shares }) => [type, wallet, assets, shares]),
    ).toEqual([
      ['cancel', BOB, 10n, 5n],
      ['cancel', BOB, 14n, 7n],
    ]);
  });

  test('behavior: splitting the events between transactions does not change the result', () => {
    const all = eventsOf([publish(2_000n), pass], [pass], [publish(3_000n)], [pass, pass]);
    const whole = interpret(all, CONTEXT);
    for (const at of [2, 3, 4]) {
      const first = interpret(all.slice(0, at), CONTEXT);
      const second = interpret(all.slice(at), { ...CONTEXT, lastPrice: first.lastPrice });
      expect([...first.movements, ...second.movements]).toEqual(whole.movements);
      expect(second.lastPrice).toEqual(whole.lastPrice);
    }
  });
});
