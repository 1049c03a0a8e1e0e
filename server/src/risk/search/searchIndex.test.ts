import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import { buildSearchData } from './buildSearchData.ts';
import { buildSearchIndex, openSearchIndex, type SearchIndex } from './searchIndex.ts';
import type { SearchQuery } from './searchQuery.ts';

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const EXAMPLES: SearchDoc[] = [
  doc(`asset:ethereum:${USDC}`, 'USD Coin', { symbol: 'USDC', address: USDC, value: 3e10 }),
  doc(`asset:base:${USDC}`, 'USD Coin', {
    symbol: 'USDC',
    address: USDC,
    network: 'base',
    value: 4e9,
  }),
  doc('asset:ethereum:0x1', 'Tether', { symbol: 'USDT', value: 1e11 }),
  doc('protocol:aave-v3', 'Aave V3', { label: 'Protocol', network: 'multichain', value: 2e10 }),
  doc('protocol:aave-v2', 'Aave V2', { label: 'Protocol', network: 'multichain', value: 1e8 }),
  doc('protocol:aavegotchi', 'Aavegotchi', { label: 'Protocol', value: 1e6, grade: 'D' }),
  doc('protocol:uniswap-v3', 'Uniswap V3', { label: 'Protocol', value: 4e9 }),
  doc('protocol:curve', 'Curvé DEX', { label: 'Protocol', value: 2e9, grade: 'A' }),
  doc('pool:ethereum:0x2', 'Earn with Aave', { label: 'Pool', value: null, grade: 'F' }),
  doc('chain:base', 'Base', { label: 'Chain', network: 'base', value: 5e9, grade: 'A' }),
];
const examples = buildSearchIndex(EXAMPLES);

describe('searchIndex', () => {
  test.each([
    [
      'the address in any case',
      USDC.toUpperCase(),
      [`asset:ethereum:${USDC}`, `asset:base:${USDC}`],
    ],
    ['an id', 'Protocol:Aave-V2', ['protocol:aave-v2']],
    ['a full name before names that start with it', 'base', ['chain:base']],
    [
      'a beginning before a word, by value, an unknown value last',
      'aave',
      ['protocol:aave-v3', 'protocol:aave-v2', 'protocol:aavegotchi', 'pool:ethereum:0x2'],
    ],
    ['a symbol', 'usdc', [`asset:ethereum:${USDC}`, `asset:base:${USDC}`, 'asset:ethereum:0x1']],
    ['words in any order', 'v3 aave', ['protocol:aave-v3']],
    ['prefixes of words', 'ear aa', ['pool:ethereum:0x2']],
    ['without diacritics', 'curve dex', ['protocol:curve']],
    ['a network', 'usdc base', [`asset:base:${USDC}`]],
    ['a wrong letter', 'unisvap', ['protocol:uniswap-v3']],
    ['letters swapped', 'uniswpa v3', ['protocol:uniswap-v3']],
    ['a missing letter', 'uniswp', ['protocol:uniswap-v3']],
    ['two mistakes in a long word', 'avegotchy', ['protocol:aavegotchi']],
    ['an extra space', 'uni swap', ['protocol:uniswap-v3']],
    ['a missing space', 'uniswapv3', ['protocol:uniswap-v3']],
    ['nothing like it', 'zzzzzz', []],
    ['an address one digit away', `${USDC.slice(0, -1)}9`, []],
  ])('%s', (_, q, ids) => {
    expect(examples.search({ q, limit: 10 }).map(({ id }) => id)).toEqual(ids);
  });

  test('behavior: a node that much depends on comes first even if its value is unknown, and the value stays unknown', () => {
    const index = buildSearchIndex([
      doc('asset:ethereum:0x1', 'Wrapped Ether', { symbol: 'WETH', value: null, weight: 8e9 }),
      doc('pool:ethereum:0x2', '⚗️-WETH', { label: 'Pool', value: 5e6 }),
      doc('asset:ethereum:0x3', 'WETH', { value: null }),
      doc('pool:ethereum:0x4', 'WETH-', { label: 'Pool', value: 9e9 }),
    ]);
    const find = (more: Partial<SearchQuery>) =>
      index.search({ q: 'weth', limit: 10, ...more }).map(({ id }) => id.slice(-1));
    expect(find({})).toEqual(['4', '1', '2', '3']);
    expect(find({ tvl: { operator: '>', value: 1 } })).toEqual(['4', '2']);
    expect(find({ tvl: { operator: '<', value: 8.5e9 } })).toEqual(['2']);
    expect(find({ tvl: { operator: '<=', value: 9e9 } })).toEqual(['4', '2']);
    expect(find({ tvl: { operator: '=', value: 8e9 } })).toEqual([]);
    expect(index.search({ q: 'wrapped ether', limit: 1 })).toMatchObject([{ value: null }]);
    expect(index.search({ q: 'wrapped ether', limit: 1 })[0]).not.toHaveProperty('weight');
  });

  test('a hit contains the added fields, but no grade', () => {
    const { grade: _, ...hit } = EXAMPLES[1]!;
    expect(examples.search({ q: hit.id, limit: 1 })).toEqual([hit]);
  });

  test('behavior: filters apply before the limit', () => {
    const docs = Array.from({ length: 1000 }, (_, i) =>
      doc(`pool:ethereum:${i}`, 'Common Vault', {
        label: i === 999 ? 'Asset' : 'Pool',
        value: i === 998 ? null : 1000 - i,
        grade: i === 997 ? 'A' : 'F',
      }),
    );
    const index = buildSearchIndex(docs);
    const ids = (query: Omit<SearchQuery, 'q' | 'limit'>) =>
      index.search({ q: 'vault', limit: 2, ...query }).map(({ id }) => id);
    expect(ids({})).toEqual(['pool:ethereum:0', 'pool:ethereum:1']);
    expect(ids({ label: 'Asset' })).toEqual(['pool:ethereum:999']);
    expect(ids({ grade: { operator: '<=', value: 'B' } })).toEqual(['pool:ethereum:997']);
    expect(ids({ tvl: { operator: '<', value: 3 } })).toEqual(['pool:ethereum:999']);
    expect(ids({ tvl: { operator: '<=', value: 3 } })).toEqual([
      'pool:ethereum:997',
      'pool:ethereum:999',
    ]);
    expect(ids({ tvl: { operator: '=', value: 500 } })).toEqual(['pool:ethereum:500']);
  });

  test('behavior: an empty index finds nothing', () => {
    expect(buildSearchIndex([]).search({ q: 'aave', limit: 10 })).toEqual([]);
  });

  test('behavior: of two nodes with one id one stays', () => {
    const index = buildSearchIndex([doc('a:b:c', 'One', { value: 1 }), doc('a:b:c', 'Two')]);
    expect(index.size).toBe(1);
    expect(index.search({ q: 'one', limit: 10 })).toHaveLength(1);
    expect(index.search({ q: 'two', limit: 10 })).toEqual([]);
  });

  test('behavior: an index that was built elsewhere finds the same', () => {
    const data = buildSearchData(EXAMPLES);
    const moved = openSearchIndex(structuredClone(data));
    expect(moved.search({ q: 'aave', limit: 10 })).toEqual(
      examples.search({ q: 'aave', limit: 10 }),
    );
  });

  test('one-letter mistakes: at least 93% in the top 10', () => {
    const random = createRandom(Number(process.env.ASSAY_SEED ?? 1));
    const docs = Array.from({ length: 5000 }, (_, i) =>
      doc(`pool:ethereum:${i}`, inventName(random), { value: random(1e9) }),
    );
    const index = buildSearchIndex(docs);
    const found = Array.from({ length: 1000 }, () => docs[random(docs.length)]!.name).filter(
      (name) => isFound(index, mistype(random, name), name),
    );
    expect(found.length).toBeGreaterThanOrEqual(930);
  });

  test('error: unusual input is searched for, and never throws', () => {
    const odd = [
      '',
      ' ',
      '\u0000',
      '🍣',
      '👩‍👩‍👧‍👦',
      'שלום',
      '\u202eabc',
      'e\u0301\u0301\u0301',
      'аave',
      '\ud800',
      '\udc00x',
      'x'.repeat(128),
      'a '.repeat(64),
      'aa bb '.repeat(21),
      '-'.repeat(128),
      '__proto__',
      'constructor',
      '0x',
      '::',
      'pool:',
      "'; drop table",
      '﷽'.repeat(128),
    ];
    const index = buildSearchIndex(odd.map((name, i) => doc(`asset:x:${i}`, name)));
    for (const q of odd) {
      expect(Array.isArray(index.search({ q, limit: 10 }))).toBe(true);
      expect(Array.isArray(examples.search({ q, limit: 10 }))).toBe(true);
    }
    expect(index.search({ q: '🍣', limit: 10 }).map(({ name }) => name)).toEqual(['🍣']);
    const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 128 });
    fc.assert(
      fc.property(anyUnits, (units) => {
        const q = String.fromCharCode(...units);
        examples.search({ q, limit: 10 });
        buildSearchIndex([doc(q, q, { symbol: q, address: q, network: q })]);
      }),
    );
  });
});

function doc(id: string, name: string, more: Partial<SearchDoc> = {}): SearchDoc {
  return { id, label: 'Asset', name, network: 'ethereum', value: null, grade: 'C', ...more };
}

function isFound(index: SearchIndex, q: string, name: string): boolean {
  return index.search({ q, limit: 10 }).some((hit) => hit.name === name);
}

const SYLLABLES = 'ba ce do el fi go hu in ja ke lo mu no or pa qu re so ti ul va wy xe zo'.split(
  ' ',
);
const SECOND = ['Finance', 'Swap', 'USDC', 'Vault V2', 'Token', 'ETH-USDT', 'Pool 0.3%', 'DAO'];

function inventName(random: (below: number) => number): string {
  const word = Array.from({ length: 2 + random(3) }, () => SYLLABLES[random(SYLLABLES.length)]!);
  return random(4) === 0 ? word.join('') : `${word.join('')} ${SECOND[random(SECOND.length)]}`;
}

function mistype(random: (below: number) => number, name: string): string {
  const at = random(name.length);
  const letter = String.fromCharCode(97 + random(26));
  const kinds = [
    name.slice(0, at) + letter + name.slice(at + 1),
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at) + letter + name.slice(at),
    name.slice(0, at) + name.slice(at + 1, at + 2) + name[at] + name.slice(at + 2),
  ];
  return kinds[random(4)]!;
}

/** A linear congruential generator: the same seed gives the same names. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
