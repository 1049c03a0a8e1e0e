import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, YEAR } from '../time.ts';
import { type YieldPoint, type YieldPool, yieldBySource, yieldRate } from './yieldBySource.ts';

const UNIT = 10n ** 18n;

function pool(more: Partial<YieldPool>): YieldPool {
  return {
    chainId: 1,
    poolId: '0x01',
    offchainId: 'alpha',
    at: 0,
    value: 0n,
    sharePrice: UNIT,
    rewardPerYear: 0n,
    ...more,
  };
}

function point(more: Partial<YieldPoint>): YieldPoint {
  return {
    at: 0,
    shares: 1_000n,
    price: { assets: 1n, shares: 1n },
    pools: [],
    freeShares: 0n,
    ...more,
  };
}

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
const price = fc.bigInt({ min: 1n, max: 10n ** 24n });
const anyPool = fc.record({
  poolId: fc.constantFrom('0x01', '0x02', '0x03'),
  value: amount,
  sharePrice: fc.bigInt({ min: 0n, max: 10n ** 24n }),
  rewardPerYear: amount,
});
/** Points in order, each with different pools. */
const anyPoints = fc
  .array(
    fc.record({
      seconds: fc.integer({ min: 1, max: 40 * DAY }),
      shares: amount,
      assets: price,
      per: price,
      freeShares: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
      pools: fc.uniqueArray(anyPool, { selector: ({ poolId }) => poolId }),
    }),
    { maxLength: 12 },
  )
  .map((rows) => {
    let at = 0;
    return rows.map(({ seconds, shares, assets, per, freeShares, pools }) => {
      at += seconds;
      const read = pools.map((one) => pool({ ...one, at, offchainId: one.poolId }));
      return point({ at, shares, price: { assets, shares: per }, freeShares, pools: read });
    });
  });

describe('yieldBySource', () => {
  test('default: a pool, its rewards, a fee, and the rest', () => {
    const before = pool({ value: 500n * UNIT, rewardPerYear: 100n * UNIT });
    const after = pool({ value: 505n * UNIT, rewardPerYear: 100n * UNIT, at: YEAR });
    const found = yieldBySource([
      point({ shares: 1_000n * UNIT, pools: [before] }),
      point({
        at: YEAR,
        shares: 1_010n * UNIT,
        price: { assets: 104n, shares: 100n },
        pools: [{ ...after, sharePrice: (UNIT * 101n) / 100n }],
        freeShares: 10n * UNIT,
      }),
    ]);
    expect(found).toEqual({
      // 1,005 shares on average, each of which gained 0.04.
      total: (4_020n * UNIT) / 100n,
      pools: [{ chainId: 1, offchainId: 'alpha', gain: 5n * UNIT, rewards: 100n * UNIT }],
      shareFees: (-1_040n * UNIT) / 100n,
      unattributed: (4_020n * UNIT) / 100n - 105n * UNIT + (1_040n * UNIT) / 100n,
      averageValue: ((1_000n + 1_050n) * UNIT) / 2n + (UNIT * 4n) / 20n,
    });
  });

  test('behavior: the parts add up to the total', () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const { total, pools, shareFees, unattributed } = yieldBySource(points);
        const known = pools.reduce((sum, { gain, rewards }) => sum + gain + rewards, 0n);
        expect(known + shareFees + unattributed).toBe(total);
      }),
    );
  });

  test('behavior: two adjacent windows add up to the one over both, part by part', () => {
    fc.assert(
      fc.property(anyPoints, fc.nat(), (points, cut) => {
        const middle = points.length === 0 ? 0 : cut % points.length;
        const [early, late] = [points.slice(0, middle + 1), points.slice(middle)];
        const [all, a, b] = [points, early, late].map(yieldBySource);
        expect(a!.total + b!.total).toBe(all!.total);
        expect(a!.unattributed + b!.unattributed).toBe(all!.unattributed);
        expect(a!.shareFees + b!.shareFees).toBe(all!.shareFees);
        for (const { offchainId, gain, rewards } of all!.pools) {
          const its = [...a!.pools, ...b!.pools].filter((one) => one.offchainId === offchainId);
          expect(its.reduce((sum, one) => sum + one.gain, 0n)).toBe(gain);
          expect(its.reduce((sum, one) => sum + one.rewards, 0n)).toBe(rewards);
        }
      }),
    );
  });

  test('behavior: if all assets are in pools and nothing else happens, only rounding remains', () => {
    const growth = fc.array(fc.tuple(price, price), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(amount, amount, growth, (a, b, prices) => {
        const points = prices.map(([first, second], i) => {
          const pools = [
            pool({ poolId: '0x01', value: a * first, sharePrice: first }),
            pool({ poolId: '0x02', value: b * second, sharePrice: second }),
          ];
          const assets = a * first + b * second;
          // One share owns everything.
          return point({ at: i, shares: 1n, price: { assets, shares: 1n }, pools });
        });
        const { total, unattributed } = yieldBySource(points);
        const [last, before] = [points.at(-1)!.price.assets, points[0]!.price.assets];
        expect(total).toBe(last - before);
        expect(unattributed < 0n ? -unattributed : unattributed).toBeLessThanOrEqual(
          BigInt(2 * prices.length),
        );
      }),
    );
  });

  test('behavior: a fee in shares explains the yield that it took', () => {
    const all = { value: 1_000_000n, sharePrice: UNIT };
    const grown = { value: 1_100_000n, sharePrice: (UNIT * 11n) / 10n };
    // A fee of 10% of the gain, in shares at the price after it.
    const minted = 9_174n;
    const supply = 1_000_000n + minted;
    const { total, shareFees, unattributed } = yieldBySource([
      point({ shares: 1_000_000n, pools: [pool(all)] }),
      point({
        at: DAY,
        shares: supply,
        price: { assets: 1_100_000n, shares: supply },
        pools: [pool(grown)],
        freeShares: minted,
      }),
    ]);
    expect([total, shareFees]).toEqual([90_413n, -9_999n]);
    // The minted shares count half in the average.
    expect(unattributed).toBe(total - 100_000n - shareFees);
    expect(Number(unattributed)).toBeLessThan(500);
  });

  test('behavior: a pool counts from its first point', () => {
    const [at1, at2] = [pool({ value: 100n, sharePrice: UNIT }), pool({ value: 100n })];
    const { pools } = yieldBySource([
      point({}),
      point({ at: 1, pools: [at1] }),
      point({ at: 2, pools: [{ ...at2, sharePrice: 2n * UNIT }] }),
      point({ at: 3 }),
    ]);
    expect(pools.map(({ gain }) => gain)).toEqual([75n]);
  });

  test('behavior: a chain that was not read again adds nothing', () => {
    const stale = pool({ value: 100n, rewardPerYear: 10n ** 9n });
    const { pools } = yieldBySource([
      point({ pools: [stale] }),
      point({ at: DAY, pools: [stale] }),
    ]);
    expect(pools).toEqual([{ chainId: 1, offchainId: 'alpha', gain: 0n, rewards: 0n }]);
  });

  test('behavior: fewer than two points give no result', () => {
    const none = { total: 0n, pools: [], shareFees: 0n, unattributed: 0n, averageValue: 0n };
    expect(yieldBySource([])).toEqual(none);
    expect(yieldBySource([point({ freeShares: 7n })])).toEqual(none);
  });
});

describe('yieldRate', () => {
  test('default', () => {
    expect([yieldRate(5n, 100n), yieldRate(-5n, 100n), yieldRate(5n, 0n)]).toEqual([
      0.05,
      -0.05,
      null,
    ]);
  });
});
