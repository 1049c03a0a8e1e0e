import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FULL, LONG } from '../../../../scripts/test/extents.mjs';
import { EDGE_ENDS } from '../../domain/risk/graph.ts';
import { labelOfId } from '../../domain/risk/nodeId.ts';
import type { RiskRecord, RiskSource } from '../../domain/risk/record.ts';
import { createSourceNames } from '../lists/defillama/item.ts';
import { ImportTooLarge } from './importRefused.ts';
import { openSourceFolder } from './openSourceFolder.ts';
import { type ReadOptions, readRiskSource, SourceHasNoDocuments } from './readSource.ts';
import { createImportReport, printReport } from './report.ts';

const now = 1_790_000_000;

async function read(source: RiskSource, document: unknown, more: Partial<ReadOptions> = {}) {
  const report = createImportReport();
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  async function* open() {
    yield Buffer.from(text);
  }
  const records: RiskRecord[] = [];
  const given = { source, open, known: new Set<string>(), now, report, ...more };
  for await (const record of readRiskSource(given)) records.push(record);
  const facts = new Map(records.map(({ node }) => [node.id, node.facts as object]));
  const edges = (id: string) =>
    records
      .find(({ node }) => node.id === id)!
      .edges.map(({ type, targetId, weight }) => [type, targetId, weight]);
  return { records, facts, edges, lines: printReport(report), counts: report.of(source) };
}

describe('protocols', () => {
  const uniswap = { id: '1', name: 'Uniswap V2', tags: ['AMM'], audits: '2', chains: ['Ethereum'] };
  const fork = {
    id: '2',
    name: 'Fork Swap',
    symbol: '-',
    category: 'Lending',
    chains: ['Binance', 'OP Mainnet', 'Ethereum'],
    chainTvls: { Binance: 75, Ethereum: 25, 'Ethereum-borrowed': 900, staking: 3 },
    tvl: '100.5',
    audits: '2',
    audit_links: ['https://a.example', 'https://b.example', 'https://a.example'],
    listedAt: 1_634_207_334,
    forkedFromIds: ['1', '404'],
    oracles: ['Pyth', 'Nobody Knows'],
    oraclesBreakdown: [
      { name: 'Chainlink', type: 'Primary' },
      { name: 'Dice', type: 'RNG' },
    ],
    parentProtocol: 'parent#fork',
    deadFrom: '2025-12-18',
    rugged: true,
    misrepresentedTokens: true,
    treasury: 'x.js',
    governanceID: ['snapshot:x'],
    url: 'javascript:alert(1)',
  };

  test('default', async () => {
    const known = new Set(['protocol:pyth']);
    const parents = { id: 'parent#chainlink', name: 'Chainlink', chains: [] };
    const { facts, edges } = await read('defillama-protocols', [fork, uniswap, parents], { known });
    expect(facts.get('protocol:fork-swap')).toEqual({
      name: 'Fork Swap',
      slug: 'fork-swap',
      hasToken: false,
      category: 'Lending',
      chains: ['bsc', 'optimism', 'ethereum'],
      tvlUsd: 100.5,
      listedAt: 1_634_207_334,
      audits: { status: 'reports', reports: 2 },
      forkOf: ['uniswap-v2'],
      oracles: ['pyth', 'nobody-knows', 'chainlink'],
      parent: 'fork',
      hasGovernance: true,
      hasTreasury: true,
      rugged: true,
      dead: true,
    });
    expect(edges('protocol:fork-swap')).toEqual([
      ['LIVES_ON', 'chain:bsc', 0.75],
      ['LIVES_ON', 'chain:optimism', 0.001],
      ['LIVES_ON', 'chain:ethereum', 0.25],
      ['PRICED_BY', 'protocol:pyth', 0.25],
      ['PRICED_BY', 'protocol:chainlink', 0.25],
    ]);
    expect(facts.get('protocol:uniswap-v2')).toMatchObject({
      category: 'AMM',
      audits: { status: 'claimed' },
    });
    expect([...facts.keys()]).toContain('chain:optimism');
  });

  test('behavior: reads the number of audits in any format', async () => {
    const items = ['0', '1', '2', '3', null, '5', 2].map((audits, i) => ({
      id: `${i}`,
      name: `P${i}`,
      audits,
    }));
    const { facts } = await read('defillama-protocols', items);
    expect([...facts.values()].map((each) => (each as { audits?: unknown }).audits)).toEqual([
      { status: 'none-recorded' },
      { status: 'partial' },
      { status: 'claimed' },
      { status: 'partial' },
      undefined,
      undefined,
      { status: 'claimed' },
    ]);
  });

  test('behavior: importing again gives the same, regardless of other data', async () => {
    const first = await read('defillama-protocols', [fork, uniswap]);
    const again = await read('defillama-protocols', [fork, uniswap]);
    expect(again.records).toEqual(first.records);
    const known = new Set(['chain:bsc', 'protocol:fork-swap']);
    const joined = await read('defillama-protocols', [fork, uniswap], { known });
    expect(joined.counts).toMatchObject({ joined: 1, created: 3, made: 2 });
    expect(joined.facts.has('chain:bsc')).toBe(false);
  });

  test('error: bad items are skipped with their place and reason, odd facts noted', async () => {
    const { lines } = await read('defillama-protocols', [
      { id: '1', name: 'Good', tvl: -5, listedAt: 12, audits: '7', deadUrl: 'maybe' },
      { id: '2', name: 'GOOD' },
      { id: '3', name: 'Bi\u202Edi\u0000' },
      { id: '4', name: 'P\u0430ypal' },
      { id: '5', name: '\u0000\u200b' },
      { id: '6' },
      { id: '7', name: '***' },
      { id: '8', name: { a: 1 } },
      7,
      null,
    ]);
    expect(lines).toMatchInlineSnapshot(`
      [
        "defillama-protocols: 10 read, 3 kept, 7 skipped; 0 nodes joined, 3 created",
        "  skipped 3: it has no name: � (#4, byte 167), an item (#5, byte 197), an item (#7, byte 232)",
        "  skipped 2: it is not an object: an item (#8, byte 258), an item (#9, byte 260)",
        "  skipped 1: another item has its id: protocol:good GOOD (#1, byte 80)",
        "  skipped 1: its name holds no letter: *** (#6, byte 208)",
        "  look at 1: tvl is below zero: -5 in Good (#0, byte 1)",
        "  look at 1: listedAt is not in our time: 12 in Good (#0, byte 1)",
        "  look at 1: its audits code is unknown: 7 in Good (#0, byte 1)",
        "  look at 1: deadUrl is neither true nor false: maybe in Good (#0, byte 1)",
        "  look at 1: name had invisible characters, taken out: Bidi in Bi�di� (#2, byte 105)",
        "  look at 1: name mixes letters of several scripts that look alike: Pаypal in Pаypal (#3, byte 139)",
        "  look at 1: name holds no name, or is too long: � in � (#4, byte 167)",
        "  look at 1: name is not a text: an object in an item (#7, byte 232)",
      ]
    `);
  });
});

describe('pools', () => {
  const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const pool = {
    chain: 'Ethereum',
    project: 'uniswap-v3',
    symbol: 'USDC-WETH',
    tvlUsd: 1000,
    apy: 4.4,
    apyBase: '4.2',
    apyReward: null,
    pool: 'aaaa',
    pool_old: '0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640',
    underlyingTokens: [usdc, '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
    poolMeta: '0.05%',
    outlier: false,
  };
  const id = 'pool:ethereum:0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640';

  test('default', async () => {
    const { facts, edges } = await read('defillama-pools', { status: 'success', data: [pool] });
    expect(facts.get(id)).toEqual({
      name: 'Uniswap V3 USDC-WETH (0.05%)',
      symbol: 'USDC-WETH',
      chain: 'ethereum',
      address: '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640',
      uniqueKey: 'aaaa',
      protocol: 'uniswap-v3',
      tvlUsd: 1000,
      apy: 0.044,
      apyBase: 0.042,
      assets: 'uncorrelated',
      concentrated: true,
      outlier: false,
      note: '0.05%',
    });
    expect(edges(id)).toEqual([
      ['LIVES_ON', 'chain:ethereum', 1],
      ['OPERATED_BY', 'protocol:uniswap-v3', 1],
      ['ACCEPTS_DEPOSITS_IN', `asset:ethereum:${usdc.toLowerCase()}`, 1],
      ['ACCEPTS_DEPOSITS_IN', 'asset:ethereum:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 1],
    ]);
    expect(facts.get(`asset:ethereum:${usdc.toLowerCase()}`)).toMatchObject({ name: 'USDC' });
    const weth = 'asset:ethereum:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
    expect(facts.get(weth)).toMatchObject({ name: 'Wrapped Ether', kind: 'wrapped' });
    expect(edges(weth)[1]).toEqual([
      'IS_COLLATERALIZED_BY',
      'asset:ethereum:0x0000000000000000000000000000000000000000',
      1,
    ]);
  });

  test('behavior: recognizes assets whose prices move together', async () => {
    const cases = [
      { symbol: 'USDC', exposure: 'single' },
      { symbol: 'DAI-USDC-USDT' },
      { symbol: 'ETH-STETH' },
      { symbol: 'WBTC-CBBTC' },
      { symbol: 'EURC-USDC' },
      { symbol: 'USDC-SCAMUSD', ilRisk: 'no', exposure: 'multi' },
      { symbol: 'LP', exposure: 'multi' },
    ];
    const data = cases.map((each, i) => ({ chain: 'Base', project: 'p', pool: `k${i}`, ...each }));
    const { facts } = await read('defillama-pools', { data });
    const assets = data.map(
      ({ pool: key }) => facts.get(`pool:base:${key}`) as { assets?: string },
    );
    expect(assets.map((each) => each.assets)).toEqual([
      ...['single', 'correlated', 'correlated', 'correlated'],
      ...['uncorrelated', 'uncorrelated', 'uncorrelated'],
    ]);
  });

  test('behavior: an address that pools share identifies none of them', async () => {
    const { facts, counts } = await read('defillama-pools', [
      pool,
      { ...pool, pool: 'bbbb' },
      { ...pool, pool: 'bbbb', pool_old: undefined },
      { chain: 'Ethereum', project: 'curve-dex', symbol: 'X', pool: `${usdc}-ethereum` },
    ]);
    expect([...facts.keys()].filter((each) => each.startsWith('pool:'))).toEqual([
      'pool:ethereum:aaaa',
      'pool:ethereum:bbbb',
      `pool:ethereum:${usdc.toLowerCase()}`,
    ]);
    expect(counts).toMatchObject({ read: 4, kept: 3, skipped: 1 });
  });

  test('behavior: the same item twice keeps its address', async () => {
    const bare = { ...pool, pool: undefined };
    for (const twice of [pool, bare]) {
      const { facts, counts } = await read('defillama-pools', [twice, twice]);
      const ids = [...facts.keys()].filter((each) => each.startsWith('pool:'));
      expect(ids).toEqual([`pool:ethereum:${pool.pool_old.split('-')[0]!.toLowerCase()}`]);
      expect(counts).toMatchObject({ read: 2, kept: 1, skipped: 1 });
    }
  });

  test('behavior: known tokens and protocols are not created again', async () => {
    const known = new Set([`asset:ethereum:${usdc.toLowerCase()}`, 'protocol:uniswap-v3']);
    const { facts } = await read('defillama-pools', [pool], { known });
    expect([...facts.keys()].filter((each) => known.has(each))).toEqual([]);
  });
});

describe('stablecoins', () => {
  test('default: a node per chain; bridged assets depend on their origin', async () => {
    const names = createSourceNames();
    names.issuerByGeckoId.set('x-usd', 'x-protocol');
    const coin = {
      id: '9',
      name: 'X Dollar',
      symbol: 'XUSD',
      gecko_id: 'x-usd',
      address: 'avax:0x111111111111ed1d73f860f57b2798b683f2d325',
      pegType: 'peggedUSD',
      pegMechanism: 'crytpo-backed',
      price: '0.97',
      circulating: { peggedUSD: 1000 },
      auditLinks: 'https://audits.example',
      chainConfig: {
        chains: { xdai: { bridgedFromETH: ['0x3129662808bEC728a27Ab6a6b9AFd3cBacA8A43c'] } },
      },
    };
    const { facts, edges } = await read(
      'defillama-stablecoins',
      { peggedAssets: [coin] },
      { names },
    );
    const home = 'asset:avalanche:0x111111111111ed1d73f860f57b2798b683f2d325';
    const bridged = 'asset:gnosis:0x3129662808bec728a27ab6a6b9afd3cbaca8a43c';
    expect(facts.get(home)).toEqual({
      name: 'X Dollar',
      symbol: 'XUSD',
      kind: 'crypto-backed',
      peg: 'USD',
      priceUsd: 0.97,
      pegDeviation: 0.03,
      marketCapUsd: 970,
      attested: true,
      chain: 'avalanche',
      address: '0x111111111111ed1d73f860f57b2798b683f2d325',
    });
    expect(edges(home)).toEqual([
      ['LIVES_ON', 'chain:avalanche', 1],
      ['ISSUED_BY', 'protocol:x-protocol', 1],
    ]);
    expect(facts.get(bridged)).toMatchObject({ kind: 'wrapped' });
    expect(edges(bridged)).toEqual([
      ['LIVES_ON', 'chain:gnosis', 1],
      ['IS_COLLATERALIZED_BY', home, 1],
    ]);
  });

  test('behavior: a bridge is not the issuer of a coin that is backed by money', async () => {
    const names = createSourceNames();
    const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
    await read(
      'defillama-protocols',
      [
        { id: '1', name: 'Ferry', category: 'Cross Chain Bridge', stablecoins: ['x', 'y', 'z'] },
        { id: '2', name: 'Zed', category: 'CDP', stablecoins: ['z'] },
        { id: '3', name: 'Circle USDC', category: 'Stablecoin Issuer' },
        { id: '4', name: 'Circle CCTP', category: 'Bridge', stablecoins: ['usd-coin'] },
      ],
      { names },
    );
    const coin = (gecko_id: string, pegMechanism: string, name = `Coin ${gecko_id}`) => {
      return { name, gecko_id, pegMechanism, chains: ['Ethereum'], pegType: 'peggedUSD' };
    };
    const { edges } = await read(
      'defillama-stablecoins',
      [
        coin('x', 'fiat-backed'),
        coin('y', 'crypto-backed'),
        coin('z', 'crypto-backed'),
        { ...coin('usd-coin', 'fiat-backed', 'USD Coin'), address: usdc },
      ],
      { names },
    );
    const issuers = ['x', 'y', 'z', usdc].map((key) =>
      edges(`asset:ethereum:${key}`).flatMap(([type, to]) => (type === 'ISSUED_BY' ? [to] : [])),
    );
    expect(issuers).toEqual([[], ['protocol:ferry'], ['protocol:zed'], ['protocol:circle-usdc']]);
  });

  test('behavior: without an address, one node on the chain that holds most', async () => {
    const coin = {
      name: 'Y',
      gecko_id: 'y-coin',
      pegType: 'peggedEUR',
      price: 1.1,
      chainCirculating: { Tron: { current: { peggedEUR: 1 } }, BSC: { current: { peggedEUR: 5 } } },
    };
    const { facts } = await read('defillama-stablecoins', [coin, { name: 'Nowhere' }]);
    expect([...facts.keys()]).toEqual(['asset:bsc:y-coin', 'chain:bsc']);
    expect(facts.get('asset:bsc:y-coin')).not.toHaveProperty('pegDeviation');
  });
});

describe('chains', () => {
  test('default', async () => {
    const { facts, edges, lines } = await read('defillama-chains', {
      Ethereum: { chainId: 1, symbol: 'ETH', categories: ['EVM'] },
      'OP Mainnet': {
        chainId: '10',
        categories: ['EVM', 'Rollup'],
        parent: { chain: 'Ethereum', types: ['L2'] },
      },
      Optimism: { chainId: 10 },
      Loop: { chainid: 5, parent: { chain: 'Loop', types: ['L3'] } },
      Side: { chainId: null, parent: { chain: 'Avalanche', types: ['subnet'] }, deadUrl: true },
      Plain: {},
      Bad: 3,
    });
    expect([...facts.values()]).toEqual([
      { name: 'Ethereum', slug: 'ethereum', chainId: 1, symbol: 'ETH', kind: 'base-layer' },
      { name: 'OP Mainnet', slug: 'optimism', chainId: 10, kind: 'rollup', settlesTo: 'ethereum' },
      { name: 'Loop', slug: 'loop', chainId: 5, kind: 'rollup' },
      { name: 'Side', slug: 'side', kind: 'other', dead: true },
      { name: 'Plain', slug: 'plain' },
    ]);
    expect(edges('chain:optimism')).toEqual([['SETTLES_TO', 'chain:ethereum', 1]]);
    expect(edges('chain:loop')).toEqual([]);
    expect(lines.join('\n')).toContain('it settles to itself');
    const native = [{ name: 'Base', tokenSymbol: null, tvl: 5.5, chainId: 8453, gecko_id: null }];
    expect((await read('defillama-chains', native)).facts.get('chain:base')).toEqual({
      ...{ name: 'Base', slug: 'base', chainId: 8453, tvlUsd: 5.5 },
    });
  });
});

describe('hacks', () => {
  test('default: incidents of known protocols, all of one in one record', async () => {
    const names = createSourceNames();
    names.protocolById.set('77', 'curve-dex');
    const known = new Set(['protocol:curve-dex', 'protocol:euler-v1']);
    const hacks = [
      { date: 1_690_675_200, name: 'Curve', amount: 62_000_000, technique: 'Reentrancy' },
      { date: '2023-03-13', name: 'Euler', amount: 197e6, returnedFunds: 197e6 },
      { date: 1_600_000_000, name: 'Some Pool', defillamaId: '77', amount: 'a lot' },
      { date: 1_690_675_200, name: 'Unlisted', amount: 1 },
      { name: 'Curve' },
    ];
    const { facts, counts } = await read('defillama-hacks', hacks, { known, names });
    expect(facts.get('protocol:curve-dex')).toMatchObject({
      incidents: [
        { at: 1_600_000_000 },
        { at: 1_690_675_200, lossUsd: 62_000_000, what: 'Reentrancy' },
      ],
    });
    expect(facts.get('protocol:euler-v1')).toMatchObject({ incidents: [{ repaid: true }] });
    expect(counts).toMatchObject({ read: 5, kept: 3, skipped: 2, joined: 2, created: 0 });
  });

  test('behavior: matches hacks by id, by the id of the parent, then by name', async () => {
    const names = createSourceNames();
    names.protocolById.set('77', 'curve-dex').set('parent#aave', 'aave');
    const known = new Set(['protocol:curve-dex', 'protocol:aave', 'protocol:euler-v1']);
    const shared = { classification: 'Protocol Logic', chain: ['Base'], returnedFunds: null };
    const first = { ...shared, date: 1_690_675_200, name: 'Another name', defillamaId: 77 };
    const { facts, counts } = await read(
      'defillama-hacks',
      [
        { ...first, amount: 5e6, technique: 'Reentrancy' },
        // The endpoint returns some entries twice.
        { ...first, amount: 5e6, technique: 'Reentrancy' },
        {
          ...shared,
          date: 1_700_000_000,
          name: 'Aave V9',
          defillamaId: 9,
          parentProtocolId: 'parent#aave',
          amount: null,
        },
        { ...shared, date: 1_678_665_600, name: 'Euler\n\n', defillamaId: null, amount: 197e6 },
      ],
      { known, names },
    );
    expect(facts.get('protocol:curve-dex')).toMatchObject({
      incidents: [{ at: 1_690_675_200, lossUsd: 5e6, what: 'Reentrancy' }],
    });
    expect(facts.get('protocol:aave')).toMatchObject({
      incidents: [{ at: 1_700_000_000, what: 'Protocol Logic' }],
    });
    expect(facts.get('protocol:euler-v1')).toMatchObject({ incidents: [{ lossUsd: 197e6 }] });
    expect(counts).toMatchObject({ read: 4, kept: 4, skipped: 0 });
  });
});

describe('readRiskSource', () => {
  const sources = [
    ...['defillama-protocols', 'defillama-pools', 'defillama-stablecoins'],
    ...['defillama-chains', 'defillama-hacks'],
  ] as RiskSource[];

  test('behavior: any values of any types in the fields of any list', async () => {
    const fields = [
      ...[
        'id',
        'name',
        'slug',
        'symbol',
        'chain',
        'chains',
        'chainTvls',
        'tvl',
        'audits',
        'audit_links',
      ],
      ...['listedAt', 'forkedFromIds', 'oracles', 'oraclesBreakdown', 'parentProtocol', 'deadFrom'],
      ...[
        'pool',
        'pool_old',
        'project',
        'tvlUsd',
        'apy',
        'underlyingTokens',
        'poolMeta',
        'exposure',
      ],
      ...['pegType', 'pegMechanism', 'price', 'circulating', 'chainConfig', 'address', 'gecko_id'],
      ...[
        'chainId',
        'parent',
        'categories',
        'date',
        'amount',
        'technique',
        'defillamaId',
        'rugged',
      ],
    ];
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }),
      fc.constantFrom('Ethereum', '0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640', 'NaN', '1e400', -1),
      fc.constantFrom('P\u0430y', 'a\u0000b', '\ud800', '__proto__', ['Ethereum', 5], {
        chain: 'Ethereum',
        types: ['L2'],
      }),
    );
    const item = fc.dictionary(fc.constantFrom(...fields), odd, { maxKeys: 20 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sources), fc.array(item), async (source, items) => {
        const { records, counts } = await read(source, items);
        expect(counts.read).toBe(items.length);
        expect(counts.kept + counts.skipped).toBe(counts.read);
        const ids = records.map(({ node }) => node.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(records.flatMap(faultsOf)).toEqual([]);
      }),
      { numRuns: LONG ? 3000 : FULL ? 300 : 60 },
    );
  });

  test('behavior: an invalid document gives its valid entries and reports the invalid ones', async () => {
    const good = (id: number) => JSON.stringify({ id: `${id}`, name: `Protocol ${id}` });
    const document = `[${good(1)},{"id":"2","name":"x},${good(3)},${good(4)}`;
    const { facts, lines } = await read('defillama-protocols', document);
    expect([...facts.keys()]).toEqual([
      'protocol:protocol-1',
      'protocol:protocol-3',
      'protocol:protocol-4',
    ]);
    expect(lines).toMatchInlineSnapshot(`
      [
        "defillama-protocols: 5 read, 3 kept, 2 skipped; 0 nodes joined, 3 created",
        "  skipped 1: something is not JSON here: #1, byte 32 to 55",
        "  skipped 1: the document breaks off here: #4, byte 114",
      ]
    `);
  });

  test('error: a source without documents', async () => {
    await expect(read('families', [])).rejects.toThrow(SourceHasNoDocuments);
  });

  const folder = process.env.ASSAY_RISK_DATA ?? '';
  test.runIf(FULL && folder !== '' && existsSync(folder))('behavior: the real lists', async () => {
    const { sources: found } = await openSourceFolder(folder);
    const names = createSourceNames();
    const report = createImportReport();
    const known = new Set<string>();
    const targets = new Set<string>();
    const faults: string[] = [];
    for (const { source, documents } of found) {
      const open = documents.map((document) => document.open);
      const ids: string[] = [];
      for await (const record of readRiskSource({ source, open, known, now, report, names })) {
        faults.push(...faultsOf(record));
        ids.push(record.node.id);
        for (const { targetId } of record.edges) targets.add(targetId);
      }
      for (const id of ids) known.add(id);
    }
    expect(faults).toEqual([]);
    const kept = (source: RiskSource) => report.of(source).kept;
    expect(kept('defillama-protocols')).toBeGreaterThanOrEqual(7400);
    expect(kept('defillama-pools')).toBeGreaterThanOrEqual(5800);
    expect(kept('defillama-stablecoins')).toBeGreaterThanOrEqual(400);
    expect(kept('defillama-chains')).toBeGreaterThanOrEqual(500);
    for (const [, each] of report.sources()) expect(each.kept + each.skipped).toBe(each.read);
    expect([...targets].filter((id) => !known.has(id))).toEqual([]);
  });
});

/** Returns violations of what the store requires of a record. */
function faultsOf({ node, edges }: RiskRecord): string[] {
  const faults: string[] = [];
  function check(right: boolean, what: string): void {
    if (!right) faults.push(`${node.id}: ${what}`);
  }
  check(labelOfId(node.id) === node.label, 'label');
  check(node.id === node.id.toLowerCase(), 'case');
  check(node.facts.name !== '', 'name');
  check(!/\\u0000|\\ud[89a-f]|\u202e/.test(JSON.stringify(node)), 'invisible characters');
  for (const [fact, value] of Object.entries(node.facts)) {
    check(typeof value !== 'number' || Number.isFinite(value), fact);
    check(value !== undefined, fact);
  }
  for (const { type, sourceId, targetId, weight } of edges) {
    check(sourceId === node.id && targetId !== node.id, type);
    check(weight > 0 && weight <= 1, `${type} ${weight}`);
    const to = labelOfId(targetId);
    check(
      EDGE_ENDS[type].some((ends) => ends[0] === node.label && ends[1] === to),
      targetId,
    );
  }
  return faults;
}

describe('texts that are too long', () => {
  test.each<RiskSource>(['defillama-pools', 'defillama-hacks'])(
    'error: %s of more entries than a list can have',
    async (source) => {
      const reading = read(source, `[${'0,'.repeat(150_000)}0]`);
      await expect(reading).rejects.toThrow(ImportTooLarge);
      await expect(reading).rejects.toThrow('the list has more than 150000 entries');
    },
  );
});
