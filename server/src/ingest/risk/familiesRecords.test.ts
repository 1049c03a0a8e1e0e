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
        chains: [{ chainId: 8453, role: 'settlement' }],
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
});
