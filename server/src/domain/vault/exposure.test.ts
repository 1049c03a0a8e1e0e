import { describe, expect, test } from 'vitest';
import type { Address } from '../hex.ts';
import { type CompositionPart, exposureOf } from './exposure.ts';

const USDC: Address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const WETH: Address = '0x4200000000000000000000000000000000000006';

function part(kind: CompositionPart['kind'], address: Address, share: number, chainId = 8453) {
  return { kind, chainId, address, symbol: address === USDC ? 'USDC' : 'WETH', share };
}

const backed = [part('underlying', USDC, 1), part('collateral', WETH, 0.5)];
const plain = [part('underlying', USDC, 1)];

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
    expect(found).toMatchObject({ allocatedUsd: null, uncollateralizedUsd: null });
    expect(found.collateral).toMatchObject([{ exposureUsd: null, exposurePct: 50 }]);
  });

  test('behavior: nothing invested', () => {
    expect(exposureOf({ pools: [], invested: 0n, tvl: 0n, tvlUsd: 0 })).toEqual({
      allocatedUsd: 0,
      uncollateralizedUsd: 0,
      uncollateralizedPct: 0,
      underlying: [],
      collateral: [],
    });
  });

  test('behavior: what is invested without pools has nothing known behind it', () => {
    const found = exposureOf({ pools: [], invested: 80n, tvl: 100n, tvlUsd: 200 });
    expect(found).toMatchObject({
      allocatedUsd: 160,
      uncollateralizedUsd: 160,
      uncollateralizedPct: 100,
    });
  });

  test('behavior: a pool of unknown composition has nothing known behind it', () => {
    const pools = [{ value: 5n, composition: [] }];
    const found = exposureOf({ pools, invested: 5n, tvl: 5n, tvlUsd: 5 });
    expect(found).toMatchObject({ uncollateralizedPct: 100, underlying: [], collateral: [] });
  });
});
