import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measureWaits, type QueueStep, queuedBefore, waitPercentile } from './waits.ts';

const step = (at: number, type: QueueStep['type'], shares: bigint, wallet = '0xa'): QueueStep => ({
  at,
  chainId: 1,
  wallet,
  type,
  shares,
  assets: shares * 2n,
});

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

  test('behavior: an exit at once is no wait, and a cancel takes back the newest', () => {
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

  test('behavior: what was paid before does not count, but has left the queue', () => {
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

  test('property: what is asked for is paid, taken back or still waits', () => {
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

describe('queuedBefore', () => {
  const steps = [
    step(10, 'redeem', 100n, '0xb'),
    step(20, 'redeem', 50n),
    step(20, 'redeem', 9n, '0xc'),
    { ...step(21, 'redeem', 1000n, '0xd'), chainId: 2 },
    step(30, 'redeem', 5n),
    step(40, 'redeem', 3n, '0xb'),
    step(50, 'withdraw', 40n, '0xb'),
  ];
  const { waiting } = measureWaits(steps, 0);

  test('default: what others still wait for before the last request, on that chain', () => {
    const { own, before } = queuedBefore(waiting, 1, '0xa');
    expect(own).toBe(55n);
    expect(before).toEqual([
      { since: 10, chainId: 1, wallet: '0xb', shares: 60n, assets: 120n },
      { since: 20, chainId: 1, wallet: '0xc', shares: 9n, assets: 18n },
    ]);
  });

  test('behavior: nobody before the first, and nothing for who does not wait', () => {
    expect(queuedBefore(waiting, 2, '0xd')).toEqual({ own: 1000n, before: [] });
    expect(queuedBefore(waiting, 1, '0xd')).toEqual({ own: 0n, before: [] });
  });

  test('behavior: of requests in one second the order of their logs counts', () => {
    const { before } = queuedBefore(waiting, 1, '0xc');
    expect(before.map(({ wallet, shares }) => [wallet, shares])).toEqual([
      ['0xb', 60n],
      ['0xa', 50n],
    ]);
  });
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
