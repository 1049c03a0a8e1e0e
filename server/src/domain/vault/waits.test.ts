import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createPlaces,
  createWaits,
  measureWaits,
  type QueueStep,
  waitPercentile,
} from './waits.ts';

const step = (at: number, type: QueueStep['type'], shares: bigint, wallet = '0xa'): QueueStep => ({
  at,
  chainId: 1,
  wallet,
  type,
  shares,
  assets: shares * 2n,
});

/** In order, several in one second. */
const anySteps = fc
  .array(
    fc.record({
      type: fc.constantFrom<QueueStep['type'][]>('redeem', 'redeem', 'withdraw', 'cancel'),
      shares: fc.bigInt(1n, 1000n),
      assets: fc.option(fc.bigInt(0n, 10n ** 9n), { freq: 20 }),
      wallet: fc.constantFrom('0xa', '0xb', '0xc'),
    }),
    { maxLength: 40 },
  )
  .map((list) => list.map((one, i): QueueStep => ({ ...one, at: Math.floor(i / 3), chainId: 1 })));

describe('measureWaits', () => {
  test('default: first in, first out for each receiver', () => {
    const steps = [
      step(10, 'redeem', 100n),
      step(20, 'redeem', 50n),
      step(25, 'redeem', 7n, '0xb'),
      step(40, 'withdraw', 120n),
      step(60, 'withdraw', 30n),
    ];
    expect(measureWaits(steps, 0)).toEqual({
      paid: [
        { seconds: 30, shares: 100n },
        { seconds: 20, shares: 20n },
        { seconds: 40, shares: 30n },
      ],
      requests: 2,
      waiting: [{ since: 25, chainId: 1, wallet: '0xb', shares: 7n, assets: 14n }],
    });
  });

  test('behavior: an immediate exit has no wait time, and a cancel removes the newest request', () => {
    const steps = [
      step(5, 'withdraw', 9n),
      step(10, 'redeem', 100n),
      step(20, 'redeem', 50n),
      step(30, 'cancel', 60n),
      step(40, 'withdraw', 90n),
    ];
    const { paid, waiting } = measureWaits(steps, 0);
    expect(paid).toEqual([{ seconds: 30, shares: 90n }]);
    expect(waiting).toEqual([]);
  });

  test('behavior: earlier payments do not count, but have left the queue', () => {
    const steps = [step(10, 'redeem', 100n), step(20, 'withdraw', 60n), step(50, 'withdraw', 40n)];
    expect(measureWaits(steps, 30)).toEqual({
      paid: [{ seconds: 40, shares: 40n }],
      requests: 1,
      waiting: [],
    });
  });

  test('behavior: the same receiver on another chain waits in another queue', () => {
    const steps = [step(10, 'redeem', 5n), { ...step(20, 'withdraw', 5n), chainId: 2 }];
    expect(measureWaits(steps, 0).paid).toEqual([]);
  });

  test('property: every request is paid, cancelled, or still pending', () => {
    const steps = fc.array(
      fc.record({
        type: fc.constantFrom<QueueStep['type'][]>('redeem', 'withdraw', 'cancel'),
        shares: fc.bigInt(1n, 1000n),
        wallet: fc.constantFrom('0xa', '0xb'),
      }),
    );
    fc.assert(
      fc.property(steps, (list) => {
        const all = list.map((one, at) => ({ ...one, at, chainId: 1, assets: null }));
        const { paid, waiting } = measureWaits(all, -1);
        const sum = (parts: readonly { shares: bigint }[]) =>
          parts.reduce((total, { shares }) => total + shares, 0n);
        const asked = sum(all.filter(({ type }) => type === 'redeem'));
        const left = asked - sum(paid) - sum(waiting);
        expect(left >= 0n && left <= sum(all.filter(({ type }) => type === 'cancel'))).toBe(true);
        expect(paid.every(({ seconds }) => seconds > 0)).toBe(true);
      }),
    );
  });
});

describe('createPlaces', () => {
  const steps = [
    step(10, 'redeem', 100n, '0xb'),
    step(20, 'redeem', 50n),
    step(20, 'redeem', 9n, '0xc'),
    step(30, 'redeem', 5n),
    step(40, 'redeem', 3n, '0xb'),
    step(50, 'withdraw', 40n, '0xb'),
  ];
  const placeOf = createPlaces(measureWaits(steps, 0).waiting);

  test("default: what others still wait for before the wallet's last request", () => {
    expect(placeOf('0xa')).toEqual({ own: 55n, ownAssets: 110n, shares: 69n, assets: 138n });
  });

  test('behavior: no assets ahead of the first wallet, and no result for a wallet without a request', () => {
    const alone = createPlaces(measureWaits([step(21, 'redeem', 1000n, '0xd')], 0).waiting);
    expect(alone('0xd')).toEqual({ own: 1000n, ownAssets: 2000n, shares: 0n, assets: 0n });
    expect(placeOf('0xd')).toEqual({ own: 0n, ownAssets: 0n, shares: 0n, assets: 0n });
  });

  test('behavior: of requests in one second the order of their logs counts', () => {
    expect(placeOf('0xc')).toEqual({ own: 9n, ownAssets: 18n, shares: 110n, assets: 220n });
  });

  test('behavior: if the assets of one request are unknown, so is their sum', () => {
    const unknown = [
      { ...step(10, 'redeem', 7n, '0xb'), assets: null },
      step(20, 'redeem', 5n),
      step(30, 'redeem', 3n, '0xb'),
    ];
    const places = createPlaces(measureWaits(unknown, 0).waiting);
    expect(places('0xa')).toEqual({ own: 5n, ownAssets: 10n, shares: 7n, assets: null });
    // A wallet's own requests are not ahead of it.
    expect(places('0xb')).toEqual({ own: 10n, ownAssets: null, shares: 5n, assets: 10n });
  });

  test('property: equals a search of the entire queue for each wallet', () => {
    fc.assert(
      fc.property(anySteps, (all) => {
        const { waiting } = measureWaits(all, -1);
        const places = createPlaces(waiting);
        for (const wallet of ['0xa', '0xb', '0xc']) {
          const end = waiting.findLastIndex((one) => one.wallet === wallet);
          const before = waiting.slice(0, Math.max(end, 0)).filter((one) => one.wallet !== wallet);
          const own = waiting.filter((one) => one.wallet === wallet);
          const isKnown = before.every(({ assets }) => assets !== null);
          expect(places(wallet)).toEqual({
            own: own.reduce((sum, { shares }) => sum + shares, 0n),
            ownAssets: own.some(({ assets }) => assets === null)
              ? null
              : own.reduce((sum, { assets }) => sum + assets!, 0n),
            shares: before.reduce((sum, { shares }) => sum + shares, 0n),
            assets: isKnown ? before.reduce((sum, { assets }) => sum + assets!, 0n) : null,
          });
        }
      }),
    );
  });
});

describe('createWaits', () => {
  test('property: a fold can continue from the open requests of another', () => {
    fc.assert(
      fc.property(anySteps, fc.nat(40), (all, cut) => {
        const first = createWaits(-1);
        first.add(all.slice(0, cut));
        const second = createWaits(-1);
        second.add(first.open());
        second.add(all.slice(cut));
        expect(second.measure().waiting).toEqual(measureWaits(all, -1).waiting);
        expect(second.open()).toEqual(openAfter(all));
      }),
    );
  });

  function openAfter(steps: readonly QueueStep[]): QueueStep[] {
    const whole = createWaits(-1);
    whole.add(steps);
    return whole.open();
  }
});

describe('waitPercentile', () => {
  test('default: by shares, not by requests', () => {
    const waits = [
      { seconds: 100, shares: 1n },
      { seconds: 10, shares: 98n },
      { seconds: 50, shares: 1n },
    ];
    expect(waitPercentile(waits, 50)).toBe(10);
    expect(waitPercentile(waits, 99)).toBe(50);
    expect(waitPercentile(waits, 100)).toBe(100);
  });

  test('behavior: unknown where nothing was paid', () => {
    expect(waitPercentile([], 50)).toBeNull();
  });
});
