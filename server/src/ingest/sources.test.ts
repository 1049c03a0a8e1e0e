import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AdapterName, Config, FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { sourcesOf } from './sources.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [VAULT, ORACLE, REGISTRY, ROUTER] = ['1', '2', '3', '4'].map(address) as [
  Address,
  Address,
  Address,
  Address,
];

function fingerprint(adapter: AdapterName, change: Partial<FamilyConfig['chains'][number]> = {}) {
  const chain = {
    chainId: 1,
    role: 'settlement' as const,
    address: VAULT,
    vaults: [],
    startBlock: 5,
    oracle: ORACLE,
    registry: REGISTRY,
    routers: [ROUTER],
    custody: [],
    ...change,
  };
  const family = {
    slug: 'x',
    address: VAULT,
    adapter,
    feederOf: null,
    bindingDeclarationAddress: VAULT,
    chains: [chain],
    pools: [],
  };
  const config = {
    chains: [{ chainId: 1, rpcUrls: ['http://127.0.0.1:1'] }],
    families: [family],
    prices: { feeds: [] },
  } as unknown as Config;
  return sourcesOf(config)[0]!.fingerprint;
}

describe('sourcesOf', () => {
  test('behavior: a source with a registry keeps the rows that earlier versions read', () => {
    const before = {
      address: VAULT,
      adapter: 'receiver-queue',
      bindingDeclarationAddress: VAULT,
      startBlock: 5,
      oracle: ORACLE,
      registry: REGISTRY,
      routers: [ROUTER],
    };
    const known = createHash('sha256').update(JSON.stringify(before)).digest('hex').slice(0, 16);
    expect(fingerprint('receiver-queue')).toBe(known);
  });

  test('behavior: a source that is read differently starts from scratch', () => {
    const kinds = (['receiver-queue', 'erc4626', 'erc7540'] as const).map((kind) =>
      fingerprint(kind),
    );
    const [plain] = kinds;
    const changes = [
      { address: address('9') },
      { custody: [ROUTER] },
      { vaults: [address('8')] },
      { startBlock: 6 },
    ].map((change) => fingerprint('receiver-queue', change));
    expect(new Set([...kinds, ...changes]).size).toBe(7);
    expect(fingerprint('receiver-queue', { role: 'execution' })).toBe(plain);
  });
});
