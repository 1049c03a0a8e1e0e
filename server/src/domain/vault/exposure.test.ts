import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Address } from '../hex.ts';
import { type CompositionPart, exposureOf } from './exposure.ts';

const USDC: Address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const WETH: Address = '0x4200000000000000000000000000000000000006';

function part(kind: CompositionPart['kind'], address: Address, share: number, chainId = 8453) {
  return { kind, chainId, address, symbol: address === USDC ? 'USDC' : 'WETH', share };
}

const backed = [part('underlying', USDC, 1), part('collateral', WETH, 0.5)];
const plain: CompositionPart[] = [part('underlying', USDC, 1)];

describe('exposureOf', () => {
  test('default', () => {
    const pools = [
      { value: 600n, composition: backed },
      { value: 200n, composition: plain },
      { value: 0n, composition: [part('underlying', WETH, 1, 1)] },
    ];
    expect(exposureOf({ pools, invested: 800n, tvl: 1000n, tvlUsd: 2000 })).toEqual({
      allocatedUsd: 1600,
      uncollateralizedUsd: 400,
      uncollateralizedPct: 25,
      unclassifiedUsd: 0,
      unclassifiedPct: 0,
      underlying: [
        { chainId: 8453, address: USDC, symbol: 'USDC', exposureUsd: 1600, exposurePct: 100 },
      ],
      collateral: [
        { chainId: 8453, address: WETH, symbol: 'WETH', exposureUsd: 600, exposurePct: 37.5 },
      ],
    });
  });

  test('behavior: biggest first, and one asset on two chains is two', () => {
    const pools = [
      { value: 100n, composition: [part('underlying', USDC, 1)] },
      { value: 300n, composition: [part('underlying', USDC, 1, 1)] },
      { value: 200n, composition: [part('underlying', WETH, 1)] },
    ];
    const { underlying } = exposureOf({ pools, invested: 600n, tvl: 600n, tvlUsd: 600 });
    expect(underlying.map(({ chainId, symbol }) => `${chainId} ${symbol}`)).toEqual([
      '1 USDC',
      '8453 WETH',
      '8453 USDC',
    ]);
  });

  test('behavior: without a price USD is unknown, percentages are not', () => {
    const pools = [{ value: 600n, composition: backed }];
    const found = exposureOf({ pools, invested: 600n, tvl: 1000n, tvlUsd: null });
    expect(found).toMatchObject({
      allocatedUsd: null,
      uncollateralizedUsd: null,
      unclassifiedUsd: null,
      unclassifiedPct: 0,
    });
    expect(found.collateral).toMatchObject([{ exposureUsd: null, exposurePct: 50 }]);
  });

  test('behavior: nothing invested', () => {
    expect(exposureOf({ pools: [], invested: 0n, tvl: 0n, tvlUsd: 0 })).toEqual({
      allocatedUsd: 0,
      uncollateralizedUsd: 0,
      uncollateralizedPct: 0,
      unclassifiedUsd: 0,
      unclassifiedPct: 0,
      underlying: [],
      collateral: [],
    });
  });

  test('behavior: what is invested in no pool is unclassified', () => {
    const none = exposureOf({ pools: [], invested: 80n, tvl: 100n, tvlUsd: 200 });
    expect(none).toMatchObject({
      allocatedUsd: 160,
      uncollateralizedUsd: 0,
      uncollateralizedPct: 0,
      unclassifiedUsd: 160,
      unclassifiedPct: 100,
    });
    const pools = [{ value: 20n, composition: plain }];
    expect(exposureOf({ pools, invested: 80n, tvl: 100n, tvlUsd: 200 })).toMatchObject({
      uncollateralizedUsd: 40,
      uncollateralizedPct: 25,
      unclassifiedUsd: 120,
      unclassifiedPct: 75,
    });
  });

  test('behavior: a pool of unknown composition is unclassified', () => {
    const pools = [{ value: 5n, composition: [] }];
    expect(exposureOf({ pools, invested: 5n, tvl: 5n, tvlUsd: 5 })).toMatchObject({
      uncollateralizedUsd: 0,
      unclassifiedUsd: 5,
      unclassifiedPct: 100,
      underlying: [],
      collateral: [],
    });
  });

  test('behavior: the part that a composition leaves out is unclassified', () => {
    const pools = [
      { value: 100n, composition: [part('underlying', USDC, 0.75)] },
      { value: 100n, composition: [part('underlying', USDC, 0.5), part('collateral', WETH, 0.25)] },
    ];
    expect(exposureOf({ pools, invested: 200n, tvl: 200n, tvlUsd: 200 })).toMatchObject({
      uncollateralizedUsd: 75,
      uncollateralizedPct: 37.5,
      unclassifiedUsd: 75,
      unclassifiedPct: 37.5,
    });
  });

  test('behavior: a pool of which only the collateral is told is backed by it', () => {
    const pools = [{ value: 100n, composition: [part('collateral', WETH, 1)] }];
    expect(exposureOf({ pools, invested: 100n, tvl: 100n, tvlUsd: 100 })).toMatchObject({
      uncollateralizedUsd: 0,
      unclassifiedUsd: 0,
      collateral: [{ exposurePct: 100 }],
    });
  });

  test('behavior: shares that make up the whole leave nothing, though binary does not add them up', () => {
    const composition = [0.1, 0.2, 0.3, 0.4].map((share, i) => part('underlying', USDC, share, i));
    const tenths = Array.from({ length: 10 }, (_, i) => part('underlying', USDC, 0.1, i));
    const pools = [composition, tenths].map((parts) => ({ value: 10n ** 20n, composition: parts }));
    const invested = 2n * 10n ** 20n;
    expect(exposureOf({ pools, invested, tvl: invested, tvlUsd: 1e14 })).toMatchObject({
      unclassifiedUsd: 0,
      unclassifiedPct: 0,
      uncollateralizedPct: 100,
    });
  });

  test('behavior: backed, unbacked and unclassified make up what is invested', () => {
    const share = fc.double({ min: 0, max: 0.5, noNaN: true });
    const composition: fc.Arbitrary<CompositionPart[]> = fc
      .tuple(share, share, share, share)
      .map(([a, b, c, d]) => [
        part('underlying', USDC, a),
        part('underlying', WETH, b),
        part('collateral', USDC, c),
        part('collateral', WETH, d),
      ]);
    const pool = fc.record({
      value: fc.bigInt({ min: 0n, max: 10n ** 24n }),
      composition: fc.oneof(composition, fc.constant<CompositionPart[]>([]), fc.constant(plain)),
    });
    fc.assert(
      fc.property(fc.array(pool, { maxLength: 6 }), fc.bigInt(0n, 10n ** 24n), (pools, rest) => {
        const invested = pools.reduce((sum, { value }) => sum + value, rest);
        fc.pre(invested > 0n);
        const found = exposureOf({ pools, invested, tvl: invested, tvlUsd: 1 });
        const backed = pools
          .filter((one) => one.composition.some((p) => p.kind === 'collateral' && p.share > 0))
          .reduce((sum, { value, composition: parts }) => {
            const told = (kind: string) =>
              parts.reduce((total, p) => (p.kind === kind ? total + p.share : total), 0);
            const known = Math.max(told('underlying'), told('collateral'));
            return sum + (Number(value) / Number(invested)) * known;
          }, 0);
        const all = found.uncollateralizedPct + found.unclassifiedPct + 100 * backed;
        // Each of a pool's two parts is rounded down to a base unit, which shows in the percentages of dust.
        const rounding = (200 * pools.length) / Number(invested);
        expect(Math.abs(all - 100)).toBeLessThan(5e-6 + rounding);
        expect(found.unclassifiedUsd! * 100).toBeCloseTo(found.unclassifiedPct, 5);
      }),
    );
  });
});
