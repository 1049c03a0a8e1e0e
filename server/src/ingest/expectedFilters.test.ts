import { describe, expect, test } from 'vitest';
import type { FamilyChainConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { expectedFilters, logRequestsOf, withFound } from './expectedFilters.ts';

const address = (id: number): Address => `0x${id.toString(16).padStart(40, '0')}`;

function on(chainId: number, contracts: Partial<FamilyChainConfig>): FamilyChainConfig {
  const none = { role: 'settlement', vaults: [], routers: [], custody: [], startBlock: 1 } as const;
  return { chainId, ...none, address: address(1), ...contracts };
}

describe('expectedFilters', () => {
  test('default: the contracts on one chain, each once', () => {
    const families = [
      { adapter: 'erc7540', chains: [on(1, { vaults: [address(2)], share: address(3) })] },
      { adapter: 'receiver-queue', chains: [on(1, { address: address(4), oracle: address(5) })] },
      { adapter: 'erc4626', chains: [on(1, { address: address(3) }), on(2, {})] },
    ] as const;
    const { whole, others } = expectedFilters(families, [address(5), address(6)], 1);
    expect([...whole].sort()).toEqual([1, 2, 3].map(address));
    expect([...others].sort()).toEqual([4, 5, 6].map(address));
  });
});

describe('withFound', () => {
  test('behavior: contracts that only configured contracts name, each in one filter', () => {
    const named = { whole: new Set([address(1)]), others: new Set([address(2), address(4)]) };
    const found = { addresses: [1, 2, 3, 4].map(address), whole: [address(1), address(4)] };
    const { whole, others } = withFound(named, found);
    expect([...whole].sort()).toEqual([1, 4].map(address));
    expect([...others].sort()).toEqual([2, 3].map(address));
  });
});

describe('logRequestsOf', () => {
  const set = (count: number) => new Set(Array.from({ length: count }, (_, i) => address(i)));

  test('default: one request for each filter with addresses', () => {
    expect(logRequestsOf({ whole: set(5), others: set(7) }, 1_000)).toBe(2);
    expect(logRequestsOf({ whole: set(0), others: set(7) }, 1_000)).toBe(1);
  });

  test('behavior: filters are split by addresses', () => {
    expect(logRequestsOf({ whole: set(5), others: set(7) }, 3)).toBe(5);
    expect(logRequestsOf({ whole: set(0), others: set(2_001) }, 1_000)).toBe(3);
  });
});
