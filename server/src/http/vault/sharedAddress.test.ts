import type { Static } from 'typebox';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, describeAnyEngine, type TestDatabase } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config } from '../../config/config.ts';
import { lower } from '../../domain/hex.ts';
import type { Store } from '../../store/store.ts';
import { apiRoutes } from '../apiRoutes.ts';
import { toJson } from '../jsonText.ts';
import type { listSchema } from './listSchema.ts';
import { createLiveChains, type LiveChains } from './liveChains.ts';
import type { PendingRedeems } from './pendingRedeemsSchema.ts';
import type { snapshotSchema } from './snapshotSchema.ts';

const [BASE, ARBITRUM] = [8453, 42161];
const ELSEWHERE = '0x00000000000000000000000000000000000000ee';
const TOKEN = '0x00000000000000000000000000000000000000dd';
interface HistoryPage {
  readonly items: readonly { readonly chainId: number; readonly vaultAddress: string }[];
}

let served: ServedWorld;
/** A vault with one address on two chains as two families; one of them has another address on a third chain. */
let apart: Config;
let together: Config;
let vault: string;
/** Both vaults as one family, in another store: in each store, a log belongs to one family. */
let database: TestDatabase;
let wholeStore: Store;
beforeAll(async () => {
  served = await serveWorld({ seed: 'shared', families: ['svcusd'] });
  vault = getAddress(served.world.families[0]!.address);
  together = served.config();
  apart = served.config({
    edit(file) {
      file.chains.push({ ...file.chains[0]!, id: 10, name: 'optimism', rpc: [] });
      const [whole] = file.families;
      const on = (chain: number) => whole!.chains.find((one) => one.chain === chain)!;
      const third = { ...on(BASE), chain: 10, address: ELSEWHERE, asset: TOKEN };
      file.families = [
        { ...whole!, slug: 'here', chains: [on(BASE), third] },
        { ...whole!, slug: 'there', chains: [on(ARBITRUM)] },
      ];
    },
  });
  database = await createDatabase('postgres');
  wholeStore = await database.open();
  await index(wholeStore, together);
});
afterAll(async () => {
  await database?.drop();
  await served?.close();
});

async function index(store: Store, config: Config): Promise<void> {
  const indexing = startIndexing(store, config);
  await indexing.until(liveAt(served.heads()));
  await indexing.stop();
}

describeAnyEngine('two families of one address', (open) => {
  let store: Store;
  let chains: LiveChains;
  beforeAll(async () => {
    store = await open();
    await index(store, apart);
    chains = createLiveChains(apart, { deadlineMs: 60_000 });
  });
  afterAll(() => chains?.close());

  async function ask<T>(
    config: Config,
    operationId: string,
    { path = {}, ...query }: { path?: Record<string, string> } & Record<string, unknown> = {},
  ): Promise<T> {
    const own = config === apart ? store : wholeStore;
    const routes = apiRoutes({ config, store: own, chains, cursorKey: '0x07' });
    const route = routes.find((one) => one.operationId === operationId)!;
    const values = Object.entries(query).map(([name, value]) => [name, [`${value}`]] as const);
    const answer = await route.answer({ path, query: new Map(values), now: 0 });
    return JSON.parse(toJson(answer)) as T;
  }

  test('default: each family has the values of its chain', async () => {
    const whole = await ask<Static<typeof snapshotSchema>>(together, 'getVault', {
      path: { slug: 'svcusd' },
    });
    for (const [slug, chainId] of [
      ['here', BASE],
      ['there', ARBITRUM],
    ] as const) {
      const own = await ask<typeof whole>(apart, 'getVault', { path: { slug } });
      const row = whole.stats.chains.find((chain) => chain.chainId === chainId)!;
      expect(own).toMatchObject({ slug, address: vault, stats: { chains: [row], tvl: row.tvl } });
      expect(own.stats.totalShares).toBe(row.shareSupply);
      expect(own.assets.share).toMatchObject({ chainId, address: vault });
    }
  });

  test('behavior: each chain shows its own vault', async () => {
    const list = await ask<Static<typeof listSchema>>(apart, 'listVaults');
    expect(list.map(({ slug, chains: own }) => [slug, own.map((one) => one.vault)])).toEqual([
      ['here', [vault, getAddress(ELSEWHERE)]],
      ['there', [vault]],
    ]);
    const here = await ask<Static<typeof snapshotSchema>>(apart, 'getVault', {
      path: { slug: 'here' },
    });
    expect(here.chains[1]).toMatchObject({
      chainId: 10,
      vault: getAddress(ELSEWHERE),
      assets: {
        base: { address: getAddress(TOKEN) },
        share: { address: getAddress(ELSEWHERE) },
      },
    });
  });

  test("behavior: each family's history equals that of the combined family on its chains", async () => {
    for (const [family, chainId] of [
      ['here', BASE],
      ['there', ARBITRUM],
    ] as const) {
      const own = await ask<HistoryPage>(apart, 'getHistory', { family, limit: 500 });
      const whole = await ask<HistoryPage>(together, 'getHistory', {
        family: 'svcusd',
        chainId,
        limit: 500,
      });
      expect(own.items.length).toBeGreaterThan(10);
      expect(own.items).toEqual(whole.items);
      expect(new Set(own.items.map((item) => item.vaultAddress))).toEqual(new Set([vault]));
    }
  });

  test('behavior: history names the vault of its chain', async () => {
    const moved: Config = {
      ...together,
      families: together.families.map((family) => ({
        ...family,
        chains: family.chains.map((chain) =>
          chain.chainId === ARBITRUM ? { ...chain, address: ELSEWHERE } : chain,
        ),
      })),
    };
    const { items } = await ask<HistoryPage>(moved, 'getHistory', { family: 'svcusd', limit: 500 });
    const shown = new Set(items.map((item) => `${item.chainId} ${item.vaultAddress}`));
    expect(shown).toEqual(new Set([`${BASE} ${vault}`, `${ARBITRUM} ${getAddress(ELSEWHERE)}`]));
  });

  test('behavior: pending redemptions of each', async () => {
    const { cast } = served.world.chain(BASE).scene;
    let rows = 0;
    for (const { address } of [...cast.named, ...cast.crowd]) {
      const path = { walletAddress: lower(address) };
      const own = await ask<PendingRedeems>(apart, 'getPendingRedeems', { path });
      const whole = await ask<PendingRedeems>(together, 'getPendingRedeems', { path });
      const named = whole.redeems.map((entry) => ({
        ...entry,
        family: entry.chainId === BASE ? 'here' : 'there',
      }));
      expect(own).toEqual({ redeems: named, incompleteChains: [10] });
      rows += named.length;
    }
    expect(rows).toBeGreaterThan(0);
  });
});
