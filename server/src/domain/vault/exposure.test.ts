import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Address } from '../hex.ts';
import { type CompositionPart, exposureOf } from './exposure.ts';

const USDC: Address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const WETH: Address = '0x4200000000000000000000000000000000000006';

function part(kind: CompositionPart['kind'], address: Address, share: number, chainId = 8453) {
  return { kind, chainId, address, symbol: address === USDC ? 'USDC' : 'WETH', share };
}

const backed: CompositionPart[] = [part('underlying', USDC, 1), part('collateral', WETH, 0.5)];
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
      uncollateralizedUsd: 1000,
      uncollateralizedPct: 62.5,
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

  test('behavior: largest first, and one asset on two chains is two', () => {
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

  test('behavior: without a price, USD values are unknown, percentages are not', () => {
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

  test('behavior: assets invested in no pool are unclassified', () => {
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
      uncollateralizedUsd: 100,
      uncollateralizedPct: 50,
      unclassifiedUsd: 75,
      unclassifiedPct: 37.5,
    });
  });

  test('behavior: a pool with only a collateral is backed by it', () => {
    const pools = [{ value: 100n, composition: [part('collateral', WETH, 1)] }];
    expect(exposureOf({ pools, invested: 100n, tvl: 100n, tvlUsd: 100 })).toMatchObject({
      uncollateralizedUsd: 0,
      unclassifiedUsd: 0,
      collateral: [{ exposurePct: 100 }],
    });
  });

  test('behavior: shares that add up to one leave nothing, despite binary rounding', () => {
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

  test('behavior: a partly backed pool is split into a backed and an unbacked part', () => {
    const parts = [part('underlying', USDC, 1), part('collateral', WETH, 0.9)];
    const pools = [{ value: 1_000n, composition: parts }];
    expect(exposureOf({ pools, invested: 1_000n, tvl: 1_000n, tvlUsd: 1_000 })).toMatchObject({
      collateral: [{ exposureUsd: 900, exposurePct: 90 }],
      uncollateralizedUsd: 100,
      uncollateralizedPct: 10,
      unclassifiedUsd: 0,
    });
  });

  test("behavior: pools that hold more than the vault counts are reduced to the vault's amount", () => {
    const pools = [
      { value: 300n, composition: [part('collateral', WETH, 1)] },
      { value: 100n, composition: plain },
    ];
    expect(exposureOf({ pools, invested: 200n, tvl: 200n, tvlUsd: 200 })).toMatchObject({
      allocatedUsd: 200,
      collateral: [{ exposureUsd: 150 }],
      uncollateralizedUsd: 50,
      unclassifiedUsd: 0,
    });
    expect(exposureOf({ pools, invested: 0n, tvl: 5n, tvlUsd: 5 }).collateral).toEqual([]);
  });

  test('behavior: collateral, uncollateralized, and unclassified add up to the allocated value, to the cent', () => {
    fc.assert(
      fc.property(families, (input) => {
        const found = exposureOf(input);
        const usd = sumOf(found.collateral.map(({ exposureUsd }) => exposureUsd!));
        const all = usd + found.uncollateralizedUsd! + found.unclassifiedUsd!;
        expect(Math.abs(all - found.allocatedUsd!)).toBeLessThan(0.005);
        const held = sumOf(found.underlying.map(({ exposureUsd }) => exposureUsd!));
        expect(held).toBeLessThan(found.allocatedUsd! + 0.005);
        if (input.invested === 0n) return;
        const pct = sumOf(found.collateral.map(({ exposurePct }) => exposurePct));
        expect(pct + found.uncollateralizedPct + found.unclassifiedPct).toBeCloseTo(100, 9);
        for (const figure of [found.uncollateralizedUsd!, found.unclassifiedUsd!])
          expect(figure).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });

  test('behavior: each pool is backed by the share that its composition names, to a base unit', () => {
    fc.assert(
      fc.property(families, ({ pools }) => {
        for (const one of pools) {
          const { value, composition } = one;
          if (value === 0n) continue;
          const shareOf = (kind: string) =>
            sumOf(composition.map((p) => (p.kind === kind ? p.share : 0)));
          const [held, backed] = [shareOf('underlying'), Math.min(1, shareOf('collateral'))];
          const known = Math.min(1, Math.max(held, backed));
          const found = exposureOf({ pools: [one], invested: value, tvl: value, tvlUsd: 1 });
          const rounding = 2 * composition.length;
          const near = (pct: number, share: number) =>
            expect(Math.abs(pct / 100 - share)).toBeLessThan(1e-8 + rounding / Number(value));
          near(sumOf(found.collateral.map(({ exposurePct }) => exposurePct)), backed);
          near(found.uncollateralizedPct, known - backed);
          near(found.unclassifiedPct, 1 - known);
        }
      }),
    );
  });
});

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** Assets from two decimals, with base units of a cent or more, to eighteen. */
const families = fc
  .record({
    pools: fc.array(
      fc.record({
        value: fc.oneof(
          fc.bigInt({ min: 0n, max: 10n ** 24n }),
          fc.bigInt({ min: 0n, max: 1_000n }),
        ),
        composition: fc.oneof<fc.Arbitrary<CompositionPart[]>[]>(
          fc.constant<CompositionPart[]>([]),
          fc.constant(plain),
          fc.constant(backed),
          fc.array(
            fc
              .tuple(
                fc.constantFrom('underlying' as const, 'collateral' as const),
                fc.constantFrom(USDC, WETH),
                fc.double({ min: 0, max: 1, noNaN: true }),
                fc.constantFrom(1, 8453),
              )
              .map(([kind, address, share, chainId]) => part(kind, address, share, chainId)),
            { maxLength: 6 },
          ),
        ),
      }),
      { maxLength: 8 },
    ),
    // Negative if the pools hold more than the vault counts.
    rest: fc.bigInt({ min: -(10n ** 23n), max: 10n ** 24n }),
    idle: fc.bigInt({ min: 0n, max: 10n ** 24n }),
    tvlUsd: fc.double({ min: 0, max: 1e11, noNaN: true }),
  })
  .map(({ pools, rest, idle, tvlUsd }) => {
    const counted = pools.reduce((sum, { value }) => sum + value, rest);
    const invested = counted < 0n ? 0n : counted;
    return { pools, invested, tvl: invested + idle, tvlUsd };
  });
