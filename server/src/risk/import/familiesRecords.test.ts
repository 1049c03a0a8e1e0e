import { describe, expect, test } from 'vitest';
import type { ChainConfig, FamilyConfig } from '../../config/config.ts';
import { type FamilyState, familyRecords } from './familiesRecords.ts';

describe('familyRecords', () => {
  test('behavior: a mirroring family has the texts of the declarations it is bound to', () => {
    const chains = [{ chainId: 8453, name: 'base' }] as unknown as ChainConfig[];
    const text = { offchainId: 'p', name: 'Alpha', protocolName: 'Alpha Markets', composition: [] };
    const family = (slug: string, address: string, pools: readonly object[]) =>
      ({
        slug,
        name: slug,
        address,
        feederOf: null,
        bindingDeclarationAddress: '0xaa',
        baseAsset: {},
        shareAsset: {},
        chains: [{ chainId: 8453, role: 'settlement', address }],
        pools,
      }) as unknown as FamilyConfig;
    const state = { vaults: [], tvl: 10n, invested: 10n, tvlUsd: null, apy: null };
    const pools: FamilyState['pools'] = [
      { chainId: 8453, venue: '0xcc', offchainId: 'p', value: 10n },
    ];
    const records = familyRecords(chains, [
      { ...state, family: family('mirror', '0xbb', []), pools },
      { ...state, family: family('declaring', '0xaa', [text]), pools: [] },
    ]);
    const pool = records.find(({ node }) => node.id === 'pool:base:0xcc')!;
    expect(pool.node.facts).toMatchObject({ name: 'Alpha', protocol: 'alpha-markets' });
  });

  test('behavior: one address on two chains is two vaults', () => {
    const chains = [
      { chainId: 8453, name: 'base' },
      { chainId: 1, name: 'ethereum' },
    ] as unknown as ChainConfig[];
    const family = (slug: string, chainId: number) =>
      ({
        slug,
        name: slug,
        address: '0xaa',
        feederOf: null,
        bindingDeclarationAddress: '0xaa',
        baseAsset: {},
        shareAsset: {},
        // Users enter on one chain, and assets work on the other, at another address.
        chains: [
          { chainId: 8454 - chainId, role: 'execution', address: '0xee' },
          { chainId, role: 'settlement', address: '0xaa' },
        ],
        pools: [],
      }) as unknown as FamilyConfig;
    const state = { vaults: [], tvl: 0n, invested: 0n, tvlUsd: null, apy: null, pools: [] };
    const records = familyRecords(chains, [
      { ...state, family: family('one', 8453) },
      { ...state, family: family('two', 1) },
    ]);
    const vaults = records.filter(({ node }) => node.label === 'Pool');
    expect(vaults.map(({ node }) => [node.id, node.facts.name])).toEqual([
      ['pool:base:0xaa', 'one'],
      ['pool:ethereum:0xaa', 'two'],
    ]);
  });
});
