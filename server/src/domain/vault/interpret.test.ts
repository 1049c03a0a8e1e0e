import { describe, expect, test } from 'vitest';
import type { Address, Hex } from '../hex.ts';
import type { VaultEvent } from './event.ts';
import { type InterpretContext, interpret, tradedPrice } from './interpret.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const ALICE = address('a');
const BOB = address('b');
const VAULT = address('1');
const CONTEXT: InterpretContext = {
  escrow: new Set([VAULT]),
  routers: new Set(),
  shareUnit: 1_000n,
  priceRule: 'published',
  lastPrice: null,
};

type Body = VaultEvent extends infer E
  ? E extends VaultEvent
    ? Omit<E, 'place' | 'txHash'>
    : never
  : never;

/** One list of events per transaction, all in one block. */
function events(...transactions: Body[][]): VaultEvent[] {
  let logIndex = 0;
  return transactions.flatMap((bodies, i) =>
    bodies.map((body) => {
      const txHash: Hex = `0x${i.toString(16).padStart(64, '0')}`;
      const place = { blockTime: 100, chainId: 1, blockNumber: 10, logIndex: logIndex++ };
      return { ...body, place, txHash } as VaultEvent;
    }),
  );
}

const publish = (price: bigint): Body => ({ kind: 'share-price', price });
const pass: Body = { kind: 'transfer', from: ALICE, to: BOB, shares: 500n };

describe('interpret', () => {
  test('default', () => {
    const meaning = interpret(
      events(
        [{ kind: 'deposit', owner: ALICE, assets: 10n, shares: 5n }],
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
      events([publish(2_000n)], [pass], [publish(3_000n)], [pass]),
      CONTEXT,
    );
    const received = meaning.movements.filter(({ kind }) => kind === 'received');
    expect(received.map(({ assets }) => assets)).toEqual([1_000n, 1_500n]);
    expect(meaning.sharePrices.map(({ price }) => price)).toEqual([2_000n, 3_000n]);
    expect(meaning.lastPrice).toBe(3_000n);
  });

  test('behavior: also within one transaction', () => {
    const meaning = interpret(events([pass, publish(3_000n), pass]), {
      ...CONTEXT,
      lastPrice: 2_000n,
    });
    const received = meaning.movements.filter(({ kind }) => kind === 'received');
    expect(received.map(({ assets }) => assets)).toEqual([1_000n, 1_500n]);
  });

  test('behavior: a deposit publishes no price where an oracle does', () => {
    const trade: Body = { kind: 'deposit', owner: ALICE, assets: 10n, shares: 5n };
    expect(interpret(events([trade]), CONTEXT).lastPrice).toBeNull();
  });

  test('behavior: without an oracle the last trade is the price', () => {
    const traded = { ...CONTEXT, priceRule: 'traded' as const };
    const trade: Body = { kind: 'deposit', owner: ALICE, assets: 10n, shares: 5n };
    const asked: Body = {
      kind: 'redeem-request',
      receiver: ALICE,
      owner: ALICE,
      assets: null,
      shares: 3n,
    };
    const meaning = interpret(events([trade], [asked]), traded);
    expect(meaning.lastPrice).toBe(2_000n);
    expect(meaning.history[1]).toMatchObject({ type: 'redeem', assets: 6n, shares: 3n });
    expect(meaning.sharePrices).toEqual([]);
    expect(interpret(events([asked]), traded).history[0]).toMatchObject({
      assets: null,
      shares: 3n,
    });
  });

  test('behavior: cut anywhere between transactions, it means the same', () => {
    const all = events([publish(2_000n), pass], [pass], [publish(3_000n)], [pass, pass]);
    const whole = interpret(all, CONTEXT);
    for (const at of [2, 3, 4]) {
      const first = interpret(all.slice(0, at), CONTEXT);
      const second = interpret(all.slice(at), { ...CONTEXT, lastPrice: first.lastPrice });
      expect([...first.movements, ...second.movements]).toEqual(whole.movements);
      expect(second.lastPrice).toBe(whole.lastPrice);
    }
  });
});

describe('tradedPrice', () => {
  test('default', () => {
    expect(tradedPrice({ kind: 'withdraw', assets: 7n, shares: 2n }, 1_000n)).toBe(3_500n);
  });

  test('behavior: shares and assets of different decimals', () => {
    // 2 USD with 6 decimals for one share with 18.
    const event = { kind: 'deposit', assets: 2_000_000n, shares: 10n ** 18n };
    expect(tradedPrice(event, 10n ** 18n)).toBe(2_000_000n);
  });

  test('behavior: no trade, no price', () => {
    expect(tradedPrice({ kind: 'deposit', assets: 7n, shares: 0n }, 1n)).toBeUndefined();
    expect(tradedPrice({ kind: 'withdraw', assets: 0n, shares: 7n }, 1n)).toBeUndefined();
    expect(tradedPrice({ kind: 'transfer', shares: 7n }, 1n)).toBeUndefined();
  });
});
