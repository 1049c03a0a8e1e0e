import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { ChainConfig, Config, FamilyConfig } from '../../config/config.ts';
import type { RiskRecord } from '../../domain/risk/record.ts';
import { snapshotRoutes } from '../../http/vault/snapshot.ts';
import { riskGrades } from '../../store/risk/grades.ts';
import { riskImports } from '../../store/risk/imports.ts';
import { riskRead } from '../../store/risk/read.ts';
import { type Store, statement } from '../../store/store.ts';
import { refreshFamilies } from './families.ts';
import { type FamilyState, familyRecords } from './familiesRecords.ts';
import { toRecordRow } from './recordRow.ts';

const ALPHA = 'base:lending:alpha-usdc';
const WETH = '0x4200000000000000000000000000000000000006';
const NOW = 1_800_000_000;

let served: ServedWorld;
let config: Config;
beforeAll(async () => {
  served = await serveWorld({ seed: 'risk-families' });
  config = served.config({
    edit(file) {
      const part = { chain: 8453, symbol: 'WETH', address: WETH, kind: 'collateral', share: 0.9 };
      const pool = {
        offchainId: ALPHA,
        name: 'Alpha USDC',
        protocol: 'Alpha Markets',
        url: 'https://alpha.example',
        composition: [part],
      };
      Object.assign(file.families[0]!, { pools: [pool] });
    },
  });
});
afterAll(() => served?.close());

const EDGES = statement(
  'test.families.edges',
  `select type, target_id as "targetId", weight from risk_edge where source_id = $1 and not dangling
   order by type, target_id`,
);
const DANGLING = statement('test.families.dangling', 'select 1 from risk_edge where dangling');

interface Edge {
  readonly type: string;
  readonly targetId: string;
  readonly weight: number;
}

interface ServedPool {
  readonly offchainId: string;
  readonly chainId: number;
  readonly riskScore: number;
  readonly allocationBps: number;
}

describeAnyEngine('families', (open) => {
  let store: Store;
  let unscored: readonly ServedPool[];
  beforeAll(async () => {
    store = await open();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    unscored = await servedPools();
    await refreshFamilies({ config, store, now: NOW });
  });

  async function servedStats(slug: string): Promise<object> {
    const route = snapshotRoutes({ config, store, cursorKey: '0x07' }).find(({ path }) =>
      path.includes('{slug}'),
    )!;
    const request = { path: { slug }, query: new Map(), now: 0 };
    return ((await route.answer(request)) as { stats: object }).stats;
  }

  async function servedPools(): Promise<readonly ServedPool[]> {
    return ((await servedStats('svcusd')) as { pools: ServedPool[] }).pools;
  }

  const vaultNode = (family: FamilyConfig) => `pool:base:${family.address}`;
  const edgesOf = (id: string) => store.query<Edge>(EDGES, [id]);

  test('default: the vault allocates to its pools by their holdings', async () => {
    const family = config.families[0]!;
    const vault = await riskRead.findNode(store, vaultNode(family));
    expect(vault?.node.facts).toMatchObject({ name: family.name, chain: 'base', assets: 'single' });
    const edges = await edgesOf(vaultNode(family));
    const allocations = edges.filter(({ type }) => type === 'ALLOCATES');
    expect(allocations.length).toBe(unscored.filter((pool) => pool.allocationBps > 0).length);
    const part = unscored.reduce((sum, pool) => sum + pool.allocationBps, 0) / 10_000;
    const sum = allocations.reduce((total, { weight }) => total + weight, 0);
    expect(Math.abs(sum - part)).toBeLessThan(0.01 * allocations.length);
    expect(edges.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['ACCEPTS_DEPOSITS_IN', 'LIVES_ON']),
    );
    expect(await store.query(DANGLING)).toEqual([]);
  });

  test('behavior: a pool has its configured properties', async () => {
    const pools = await Promise.all(
      (await edgesOf(vaultNode(config.families[0]!)))
        .filter(({ type }) => type === 'ALLOCATES')
        .map(({ targetId }) => riskRead.findNode(store, targetId)),
    );
    const alpha = pools.find((pool) => pool?.node.facts.name === 'Alpha USDC')!;
    expect(alpha.node.facts).toMatchObject({ protocol: 'alpha-markets', offchainId: ALPHA });
    const base = served.world.families[0]!.chains[0]!.asset.toLowerCase();
    expect(await edgesOf(alpha.node.id)).toEqual([
      { type: 'ACCEPTS_DEPOSITS_IN', targetId: `asset:base:${base}`, weight: 1 },
      { type: 'IS_COLLATERALIZED_BY', targetId: `asset:base:${WETH}`, weight: 0.9 },
      { type: 'LIVES_ON', targetId: 'chain:base', weight: 1 },
      { type: 'OPERATED_BY', targetId: 'protocol:alpha-markets', weight: 1 },
    ]);
  });

  test('behavior: a feeder allocates to its master, and shares are backed', async () => {
    const feeder = config.families.find(({ feederOf }) => feederOf === 'svcusd')!;
    const master = config.families[0]!;
    const targets = (await edgesOf(vaultNode(feeder))).map(({ targetId }) => targetId);
    expect(targets).toContain(vaultNode(master));
    const share = await riskRead.findNode(store, `asset:base:${master.address}`);
    expect(share?.node.facts).toMatchObject({ kind: 'vault-share' });
    expect((await edgesOf(share!.node.id)).map(({ type }) => type)).toEqual([
      'IS_COLLATERALIZED_BY',
      'LIVES_ON',
    ]);
  });

  test('behavior: the vault of a family has the values that the free API serves', async () => {
    for (const family of config.families) {
      const { tvlUsd, apy } = (await servedStats(family.slug)) as { tvlUsd: number; apy: number };
      expect(tvlUsd).toBeGreaterThan(0);
      const { node } = (await riskRead.findNode(store, vaultNode(family)))!;
      expect(node.facts).toMatchObject({ tvlUsd, apy });
    }
  });

  test('behavior: without changes, nothing is written', async () => {
    const version = await riskImports.findVersion(store);
    const again = await refreshFamilies({ config, store, now: NOW + 500 });
    expect(again).toMatchObject({ added: 0, changed: 0, removed: 0, regraded: 0 });
    expect(await riskImports.findVersion(store)).toBe(version);
    expect((await riskImports.getAll(store))[0]!.at).toBe(NOW);
  });

  test('behavior: the snapshot serves the score of the graph', async () => {
    const pools = await servedPools();
    expect(pools.length).toBe(unscored.length);
    const edges = await edgesOf(vaultNode(config.families[0]!));
    const scores = await riskGrades.getScores(
      store,
      edges.map(({ targetId }) => targetId),
    );
    const names = new Map<string, number>();
    for (const [id, score] of scores) {
      const { node } = (await riskRead.findNode(store, id))!;
      if (node.label === 'Pool' && node.facts.offchainId) names.set(node.facts.offchainId, score);
    }
    expect(names.size).toBeGreaterThan(1);
    for (const [offchainId, score] of names) {
      expect(pools.find((pool) => pool.offchainId === offchainId)?.riskScore).toBe(score);
    }
    expect(pools.some((pool, i) => pool.riskScore !== unscored[i]!.riskScore)).toBe(true);
  });

  test('behavior: removing a family removes its nodes', async () => {
    const outcome = await refreshFamilies({ config: { ...config, families: [] }, store, now: NOW });
    expect(outcome.read).toBe(0);
    expect(outcome.removed).toBeGreaterThan(5);
    expect(await riskRead.findNode(store, vaultNode(config.families[0]!))).toBeUndefined();
  });
});

describe('familyRecords', () => {
  const chains = [{ chainId: 8453, name: 'base' }] as unknown as ChainConfig[];
  const family = {
    slug: 'a',
    name: 'A',
    address: '0xaa',
    feederOf: null,
    baseAsset: {},
    shareAsset: {},
    chains: [{ chainId: 8453, role: 'settlement', address: '0xaa' }],
    pools: [],
  } as unknown as FamilyConfig;
  const empty: FamilyState = {
    family,
    vaults: [],
    tvl: 0n,
    invested: 0n,
    tvlUsd: null,
    apy: null,
    pools: [],
  };

  test('behavior: a family that was never read', () => {
    const records = familyRecords(chains, [empty]);
    expect(records.map(({ node }) => node.id).sort()).toEqual(['chain:base', 'pool:base:0xaa']);
    expect(JSON.stringify(records)).not.toContain('tvlUsd');
  });

  test('behavior: a pool that is the vault itself, and one that holds almost nothing', () => {
    const pool = { chainId: 8453, offchainId: 'p' } as const;
    const [vault] = familyRecords(chains, [
      {
        ...empty,
        tvl: 1_000_000n,
        pools: [
          { ...pool, venue: '0xaa', value: 400_000n },
          { ...pool, venue: '0xbb', value: 1n },
          { ...pool, venue: '0xcc', value: 0n },
        ],
      },
    ]).filter(({ node }) => node.id === 'pool:base:0xaa');
    expect(vault!.edges.filter(({ type }) => type === 'ALLOCATES')).toEqual([
      { type: 'ALLOCATES', sourceId: 'pool:base:0xaa', targetId: 'pool:base:0xbb', weight: 0.01 },
    ]);
  });

  test('behavior: a vault depends on the asset of its settlement chains only', () => {
    const both = [...chains, { chainId: 1, name: 'ethereum' }] as ChainConfig[];
    const roles = [...family.chains, { chainId: 1, role: 'execution' }];
    const vault = { share: '0xaa', assetSymbol: 'USDC', assetName: '', shareSymbol: '' };
    const records = familyRecords(both, [
      {
        ...empty,
        family: { ...family, chains: roles } as FamilyConfig,
        vaults: [
          { ...vault, chainId: 8453, asset: '0x01' },
          { ...vault, chainId: 1, asset: '0x02' },
        ] as unknown as FamilyState['vaults'],
      },
    ]);
    const { edges } = records.find(({ node }) => node.id === 'pool:base:0xaa')!;
    const taken = edges.filter(({ type }) => type === 'ACCEPTS_DEPOSITS_IN');
    expect(taken.map(({ targetId }) => targetId)).toEqual(['asset:base:0x01']);
    expect(records.map(({ node }) => node.id)).toContain('asset:ethereum:0x02');
  });

  test('behavior: a small change in a tick changes nothing', () => {
    const at = (tvl: bigint, tvlUsd: number) =>
      familyRecords(chains, [
        {
          ...empty,
          tvl,
          tvlUsd,
          pools: [{ chainId: 8453, offchainId: 'p', venue: '0xbb', value: 500_000n }],
        },
      ]);
    const hashes = (records: readonly RiskRecord[]) =>
      records.map((each) => toRecordRow(each).hash);
    expect(hashes(at(1_000_000n, 1_000_000))).toEqual(hashes(at(1_001_000n, 1_001_000)));
    expect(hashes(at(1_000_000n, 1_000_000))).not.toEqual(hashes(at(1_500_000n, 1_500_000)));
  });
});
