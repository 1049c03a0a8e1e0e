import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainSlug, oracleSlug, protocolSlug, slugOf } from './aliases.ts';
import { CHAIN_ALIASES, ORACLE_ALIASES, PROTOCOL_ALIASES } from './aliasTable.ts';

describe('slugOf', () => {
  test('default', () => {
    const names = ['Uniswap V3', "Joe's  DEX", 'Gate.io', 'Ondo v1 (Legacy)', 'Yay!', 'Loot  DAO'];
    expect(names.map(slugOf)).toEqual([
      'uniswap-v3',
      'joes-dex',
      'gate.io',
      'ondo-v1-legacy',
      'yay',
      'loot-dao',
    ]);
  });

  test('behavior: letters of other scripts stay, punctuation alone leaves nothing', () => {
    expect(slugOf('币安 Chain')).toBe('币安-chain');
    expect(slugOf('-- !! --')).toBe('');
  });

  test('behavior: a slug is its own slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const slug = slugOf(name);
        expect(slugOf(slug)).toBe(slug);
        expect(slug).not.toMatch(/[\s/:?#%]|--/);
      }),
    );
  });
});

describe('chainSlug', () => {
  test('default', () => {
    const spellings = {
      bsc: ['Binance', 'BSC', 'BNB Chain', 'bsc'],
      optimism: ['OP Mainnet', 'Optimism'],
      'zksync-era': ['zkSync Era', 'ZKsync Era', 'zkSync', 'Zksync', 'era'],
      bob: ['Bob', 'BOB'],
      opbnb: ['opBNB', 'Op_Bnb', 'Opbnb', 'Op_bnb'],
      avalanche: ['Avax', 'Avalanche', 'avax'],
      gnosis: ['xDai', 'Gnosis', 'xdai'],
      near: ['Near', 'NEAR'],
      'a-new-chain': ['A New Chain', 'a_new chain'],
    };
    for (const [slug, names] of Object.entries(spellings)) {
      for (const name of names) expect(chainSlug(name), name).toBe(slug);
    }
  });
});

describe('alias tables', () => {
  test('behavior: a slug names itself, and no name means two', () => {
    const tables = [
      [CHAIN_ALIASES, chainSlug],
      [PROTOCOL_ALIASES, protocolSlug],
      [ORACLE_ALIASES, oracleSlug],
    ] as const;
    for (const [table, find] of tables) {
      for (const [slug, names] of Object.entries(table)) {
        expect(slugOf(slug)).toBe(slug);
        for (const name of [slug, ...names]) expect(find(name), name).toBe(slug);
      }
    }
  });
});
