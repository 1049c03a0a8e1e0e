import type { Static } from 'typebox';
import { beforeAll, expect, test } from 'vitest';
import { closed, violations } from '../../../test/answers.ts';
import { describeAnyEngine } from '../../../test/database.ts';
import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { families } from '../../store/families/families.ts';
import { ticks } from '../../store/ticks/ticks.ts';
import { type VaultRow, vaults } from '../../store/vaults/vaults.ts';
import type { Page } from '../jsonText.ts';
import { toJsonSchema } from '../openapiDocument.ts';
import type { Route } from '../route.ts';
import { listRoute } from './list.ts';
import type { listSchema } from './listSchema.ts';

const USDC_BASE: Address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const USDC_ARBITRUM: Address = '0xaf88d065e77c8cc2239327c5edb3a432268e5831';
const EURC: Address = '0x1abaea1f7c830bd89acc67ec4af516284b1bc33c';
const WETH: Address = '0x4200000000000000000000000000000000000006';

function family(slug: string, digit: string, chainIds: readonly number[]): FamilyConfig {
  const address: Address = `0x${digit.repeat(40)}`;
  return {
    slug,
    name: slug.toUpperCase(),
    address,
    adapter: 'erc4626',
    feederOf: null,
    bindingDeclarationAddress: address,
    baseAsset: { marketDataId: 'base' },
    shareAsset: { marketDataId: slug },
    priceFeed: null,
    chains: chainIds.map((chainId) => ({
      chainId,
      role: 'settlement',
      address,
      vaults: [],
      startBlock: 0,
      routers: [],
      custody: [],
    })),
    pools: [],
  };
}

const usd = family('svcusd', '1', [8453, 42161]);
const eth = family('svceth', '2', [8453, 10]);
const plainEur = family('svceur', '3', [1]);
const eur = {
  ...plainEur,
  baseAsset: { marketDataId: 'eurc', symbol: 'EURC' },
  chains: plainEur.chains.map((chain) => ({ ...chain, asset: EURC })),
};
const config = { families: [usd, eth, eur] } as unknown as Config;

function vault(familyId: number, chainId: number, asset: Address, symbol: string): VaultRow {
  return {
    familyId,
    chainId,
    address: usd.address,
    authority: null,
    asset,
    assetSymbol: symbol,
    assetName: symbol,
    assetDecimals: 6,
    share: usd.address,
    shareSymbol: 'svc',
    shareName: 'svc',
    shareDecimals: 6,
  };
}

const TICK = {
  tvl: 6n,
  idle: 1n,
  invested: 2n,
  pendingExits: 3n,
  pendingRedemptionAssets: 4n,
  totalShares: 5n,
  assetsPerShare: null,
  ratio: null,
  usd: null,
  apy1d: null,
  apy7d: 0.5,
  apy30d: null,
  rewardApr: 0,
};

describeAnyEngine('listRoute', (open) => {
  let route: Route;
  beforeAll(async () => {
    const store = await open();
    route = listRoute({ config, store, cursorKey: '0x07' });
    const rows = await families.register(store, ['svcusd', 'svceth', 'svceur', 'forgotten']);
    const [usdId, ethId] = rows.map(({ familyId }) => familyId) as [number, number];
    await vaults.upsert(store, [vault(usdId, 8453, USDC_BASE, 'USDC')]);
    await vaults.upsert(store, [vault(usdId, 42161, USDC_ARBITRUM, 'USDC')]);
    await vaults.upsert(store, [vault(ethId, 8453, WETH, 'WETH')]);
    await ticks.upsert(store, usdId, [
      { at: 1_800_000_000, ...TICK, tvl: 5n },
      { at: 1_800_000_300, ...TICK },
    ]);
    // An imported tick does not count, even if it is newer.
    await ticks.importTvl(store, usdId, [{ at: 1_800_000_600, value: 9n, usd: null }]);
    await ticks.importTvl(store, ethId, [{ at: 1_800_000_600, value: 9n, usd: null }]);
  });

  async function ask(query: Record<string, readonly string[]>) {
    const answer = await route.answer({ path: {}, query: new Map(Object.entries(query)), now: 0 });
    const { body } = answer as Page;
    expect(violations(closed(toJsonSchema(route.response)), body)).toEqual([]);
    return body as Static<typeof listSchema>;
  }
  const slugs = async (query: Record<string, string>) => {
    const entries = Object.entries(query).map(([name, value]) => [name, [value]]);
    return (await ask(Object.fromEntries(entries))).map(({ slug }) => slug);
  };

  test('default', async () => {
    const [first, ...rest] = await ask({});
    expect(first).toEqual({
      slug: 'svcusd',
      name: 'SVCUSD',
      address: '0x1111111111111111111111111111111111111111',
      feederOf: null,
      assets: {
        base: {
          chainId: 8453,
          address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          symbol: 'USDC',
          name: 'USDC',
          decimals: 6,
          marketDataId: 'base',
        },
        share: {
          chainId: 8453,
          address: '0x1111111111111111111111111111111111111111',
          symbol: 'svc',
          name: 'svc',
          decimals: 6,
          marketDataId: 'svcusd',
        },
      },
      chains: [
        { chainId: 8453, role: 'settlement', vault: '0x1111111111111111111111111111111111111111' },
        { chainId: 42161, role: 'settlement', vault: '0x1111111111111111111111111111111111111111' },
      ],
      stats: {
        updatedAt: '2027-01-15T08:05:00.000Z',
        tvl: '6',
        idle: '1',
        invested: '2',
        pendingExits: '3',
        pendingRedemptionAssets: '4',
        totalShares: '5',
        assetsPerShare: null,
        tvlUsd: null,
        apy: 0.5,
        apy1d: null,
        apy7d: 0.5,
        apy30d: null,
        rewardApr: 0,
      },
    });
    expect(rest).toMatchObject([
      { slug: 'svceth', stats: null, assets: { base: { symbol: 'WETH' } } },
      { slug: 'svceur', stats: null, assets: null },
    ]);
    expect(violations(closed(toJsonSchema(route.response)), route.responseExample)).toEqual([]);
    expect(route.families!({ path: {}, query: new Map(), now: 0 })).toEqual([
      'svcusd',
      'svceth',
      'svceur',
    ]);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ chainId: '8453' }, ['svcusd', 'svceth']],
    [{ chainId: '10' }, ['svceth']],
    [{ chainId: '7' }, []],
    [{ baseAsset: 'usdc' }, ['svcusd']],
    // Known from the configuration before the chain is read.
    [{ baseAsset: 'EURC' }, ['svceur']],
    [{ baseAsset: EURC }, ['svceur']],
    [{ baseAsset: EURC, chainId: '8453' }, []],
    [{ baseAsset: 'DOGE' }, []],
    [{ baseAsset: USDC_ARBITRUM }, ['svcusd']],
    [{ baseAsset: USDC_ARBITRUM, chainId: '42161' }, ['svcusd']],
    [{ baseAsset: USDC_ARBITRUM, chainId: '8453' }, []],
    [{ baseAsset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }, ['svcusd']],
    [{ baseAsset: 'WETH', chainId: '10' }, ['svceth']],
    [{ chainid: '7' }, ['svcusd', 'svceth', 'svceur']],
  ])('behavior: %j', async (query, expected) => {
    expect(await slugs(query)).toEqual(expected);
  });

  test.each([
    ['chainId', ['0']],
    ['chainId', ['-1']],
    ['chainId', ['1.5']],
    ['chainId', ['1e3']],
    ['chainId', ['']],
    ['chainId', ['1', '1']],
    ['baseAsset', ['']],
    ['baseAsset', ['0x12']],
    ['baseAsset', ['0x833589fcD6eDb6E08f4c7C32D4f71b54bdA02913']],
    ['baseAsset', ['nul\0l']],
    ['baseAsset', ['USDC', 'WETH']],
  ])('error: %s %j', async (name, values) => {
    await expect(ask({ [name]: values })).rejects.toMatchObject({
      name: 'BadParameters',
      errors: [{ parameter: name }],
    });
  });
});
