import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HeldLevels, type PlacedStep, type QueueLevel, settledSteps } from './queueLevels.ts';
import { measureWaits } from './waits.ts';

const stepAt = (
  block: number,
  type: PlacedStep['type'],
  shares: bigint,
  wallet = '0xa',
): PlacedStep => ({ at: block * 10, block, chainId: 1, wallet, type, shares, assets: null });
const level = (block: number, pending: bigint, returning = 0n, wallet = '0xa'): QueueLevel => ({
  ...{ at: block * 10, block, chainId: 1, wallet },
  ...{ pending, returning },
});
const kept = (steps: readonly PlacedStep[], levels: readonly QueueLevel[]) =>
  settledSteps(steps, levels).map(({ at, type, shares }) => [at, type, shares]);

describe('settledSteps', () => {
  test('default: a request has waited until it is settled, not until it is claimed', () => {
    const steps = [stepAt(1, 'redeem', 100n), stepAt(9, 'withdraw', 100n)];
    const found = settledSteps(steps, [level(1, 100n), level(4, 40n), level(6, 0n)]);
    expect(measureWaits(found, 0)).toEqual({
      paid: [
        { seconds: 30, shares: 60n },
        { seconds: 50, shares: 40n },
      ],
      requests: 1,
      waiting: [],
    });
  });

  test('behavior: cancelled shares were not settled, whether returned at once or fetched later', () => {
    const atOnce = kept(
      [stepAt(1, 'redeem', 100n), stepAt(3, 'cancel', 30n)],
      [level(1, 100n), level(3, 70n)],
    );
    expect(atOnce).toEqual([
      [10, 'redeem', 100n],
      [30, 'cancel', 30n],
    ]);
    const later = kept(
      [stepAt(1, 'redeem', 100n), stepAt(7, 'cancel', 30n)],
      [level(1, 100n), level(3, 20n, 30n), level(7, 20n)],
    );
    expect(later).toEqual([
      [10, 'redeem', 100n],
      [30, 'cancel', 30n],
      [30, 'withdraw', 50n],
    ]);
  });

  test('behavior: requested and settled in one block, with or without a reported level', () => {
    expect(kept([stepAt(2, 'redeem', 5n)], [level(2, 0n)])).toEqual([
      [20, 'redeem', 5n],
      [20, 'withdraw', 5n],
    ]);
    expect(kept([stepAt(2, 'redeem', 5n)], [])).toEqual([
      [20, 'redeem', 5n],
      [20, 'withdraw', 5n],
    ]);
  });

  test('behavior: pending shares without a request count as a request', () => {
    expect(kept([], [level(2, 5n), level(4, 0n)])).toEqual([
      [20, 'redeem', 5n],
      [40, 'withdraw', 5n],
    ]);
  });

  const moment = fc.record({
    wallet: fc.constantFrom('0xa', '0xb'),
    asked: fc.bigInt(0n, 50n),
    pending: fc.bigInt(0n, 200n),
    returning: fc.bigInt(0n, 20n),
  });
  const toldIn = (list: readonly { wallet: string; asked: bigint }[]) =>
    list.flatMap(({ wallet, asked }, block) =>
      asked === 0n ? [] : [stepAt(block, 'redeem', asked, wallet)],
    );
  const levelsIn = (
    list: readonly { wallet: string; pending: bigint; returning: bigint }[],
  ): QueueLevel[] => list.map((one, block) => level(block, one.pending, one.returning, one.wallet));

  test('property: in two parts the steps are the same as in one', () => {
    fc.assert(
      fc.property(fc.array(moment), fc.nat(10), (list, cut) => {
        const [steps, levels] = [toldIn(list), levelsIn(list)];
        const held: HeldLevels = new Map();
        const upTo = (one: { readonly block: number }) => one.block < cut;
        const behind = (one: { readonly block: number }) => one.block >= cut;
        const parts = [
          ...settledSteps(steps.filter(upTo), levels.filter(upTo), held),
          ...settledSteps(steps.filter(behind), levels.filter(behind), held),
        ];
        expect(parts).toEqual(settledSteps(steps, levels));
      }),
    );
  });

  test('property: the final pending amount is the last one that the vault reported', () => {
    fc.assert(
      fc.property(fc.array(moment), (list) => {
        const [steps, levels] = [toldIn(list), levelsIn(list)];
        const { waiting } = measureWaits(settledSteps(steps, levels), -1);
        for (const wallet of ['0xa', '0xb']) {
          const own = waiting.filter((one) => one.wallet === wallet);
          const last = list.findLast((one) => one.wallet === wallet);
          expect(own.reduce((sum, { shares }) => sum + shares, 0n)).toBe(last?.pending ?? 0n);
        }
      }),
    );
  });
});
