import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../test/database.ts';
import type { ChainConfig, Config, FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { families } from '../store/families/families.ts';
import { movements } from '../store/movements/movements.ts';
import { positions } from '../store/positions/positions.ts';
import { SourceChanged, type SourceRow, sources } from '../store/sources/sources.ts';
import type { Store } from '../store/store.ts';
import { refoldPositions } from './fold/foldPositions.ts';
import { registerSources } from './register.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const ALICE = address('a');

function onChain(chainId: number, own: Address): FamilyConfig['chains'][number] {
  const role = 'settlement';
  return { chainId, role, address: own, vaults: [], startBlock: 10, routers: [], custody: [] };
}

function family(slug: string, change: Partial<FamilyConfig> = {}): FamilyConfig {
  const own = address(slug.at(-1)!);
  return {
    slug,
    name: slug,
    address: own,
    adapter: 'erc4626',
    feederOf: null,
    bindingDeclarationAddress: own,
    baseAsset: { marketDataId: slug },
    shareAsset: { marketDataId: slug },
    priceFeed: null,
    chains: [1, 2].map((chainId) => onChain(chainId, own)),
    pools: [],
    ...change,
  };
}

function config(...list: FamilyConfig[]): Config {
  const chains = [1, 2].map((chainId) => ({ chainId, rpcUrls: ['http://127.0.0.1:1'] }));
  return {
    chains: chains as unknown as ChainConfig[],
    families: list,
    prices: { maxAgeSeconds: 60, feeds: [] },
  } as unknown as Config;
}

const show = (rows: readonly SourceRow[]) =>
  rows.map(
    ({ chainId, key, indexedBlock, readable }) => `${chainId} ${key} ${indexedBlock} ${readable}`,
  );

async function advance(store: Store, block: number): Promise<void> {
  await store.transaction(async (tx) => {
    for (const row of await sources.getAll(tx)) {
      await sources.advance(tx, row.chainId, [row], { number: block, time: block * 10 });
    }
  });
}

async function idOf(store: Store, slug: string): Promise<number> {
  return (await families.getAll(store)).find((row) => row.slug === slug)!.familyId;
}

describeAnyEngine('registerSources', (open) => {
  test('behavior: registering a known family again uses up no family id', async () => {
    const store = await open();
    const [first] = (await families.register(store, ['counted-1'])).slice(-1);
    for (let turn = 0; turn < 3; turn++) await families.register(store, ['counted-1']);
    const [second] = (await families.register(store, ['counted-1', 'counted-2'])).slice(-1);
    expect(second).toMatchObject({ slug: 'counted-2', familyId: first!.familyId + 1 });
  });

  test('default', async () => {
    const store = await open();
    const registered = await registerSources(store, config(family('fam-1')));
    expect(registered.map(({ source }) => source.key)).toEqual(['family:fam-1', 'family:fam-1']);
    expect(show(await sources.getAll(store))).toEqual([
      '1 family:fam-1 9 true',
      '2 family:fam-1 9 true',
    ]);
  });

  test('behavior: an added family affects no other, and a removed one delays none', async () => {
    const store = await open();
    await registerSources(store, config(family('fam-1')));
    await advance(store, 50);
    await registerSources(store, config(family('fam-1'), family('fam-2')));
    expect(show(await sources.getAll(store))).toEqual([
      '1 family:fam-1 50 true',
      '1 family:fam-2 9 true',
      '2 family:fam-1 50 true',
      '2 family:fam-2 9 true',
    ]);
    await registerSources(store, config(family('fam-2')));
    const [first] = await sources.getAll(store);
    expect(first).toMatchObject({ key: 'family:fam-1', indexedBlock: 50, readable: false });
  });

  test('behavior: only a source whose contracts changed is read from scratch', async () => {
    const store = await open();
    await registerSources(store, config(family('fam-3')));
    await advance(store, 50);
    const familyId = await idOf(store, 'fam-3');
    await store.transaction(async (tx) => {
      for (const chainId of [1, 2]) {
        const place = { blockTime: 100, chainId, blockNumber: 20, logIndex: 0 };
        const deposit = { place, part: 0, wallet: ALICE, kind: 'deposit' as const };
        await movements.insert(tx, familyId, chainId, [{ ...deposit, shares: 5n, assets: 10n }]);
      }
      await refoldPositions(tx, familyId, [ALICE], 200);
      await families.setPositionUntil(tx, familyId, 200);
      await families.setTickUntil(tx, familyId, 200);
    });
    const moved = family('fam-3', {
      chains: [{ ...onChain(1, address('3')), routers: [address('9')] }, onChain(2, address('3'))],
    });
    await registerSources(store, config(moved));
    const rows = (await sources.getAll(store)).filter(({ key }) => key === 'family:fam-3');
    expect(rows.map(({ indexedBlock, startTime }) => [indexedBlock, startTime])).toEqual([
      [9, null],
      [50, null],
    ]);
    const left = await movements.getOfWallets(store, familyId, [ALICE], 1_000);
    expect(left.map(({ place }) => place.chainId)).toEqual([2]);
    expect((await positions.getOfWallets(store, familyId, [ALICE])).size).toBe(0);
    const row = (await families.getAll(store)).find((one) => one.familyId === familyId)!;
    expect([row.positionUntil, row.tickUntil]).toEqual([0, 0]);
  });

  test('error: a checkpoint that another configuration has taken over is not moved', async () => {
    const store = await open();
    await registerSources(store, config(family('fam-4')));
    const old = (await sources.getAll(store)).find(({ key }) => key === 'family:fam-4')!;
    await registerSources(
      store,
      config(family('fam-4', { chains: [1, 2].map((id) => onChain(id, address('b'))) })),
    );
    const moving = store.transaction((tx) =>
      sources.advance(tx, old.chainId, [old], { number: 70, time: 700 }),
    );
    await expect(moving).rejects.toThrow(SourceChanged);
    const now = (await sources.getAll(store)).find(({ key }) => key === 'family:fam-4')!;
    expect(now.indexedBlock).toBe(9);
  });

  test('behavior: two processes can register at once', async () => {
    const store = await open();
    const wanted = config(family('fam-5'), family('fam-6'));
    await Promise.all([registerSources(store, wanted), registerSources(store, wanted)]);
    const keys = (await sources.getAll(store)).map(({ chainId, key }) => `${chainId} ${key}`);
    expect(keys.filter((key) => /fam-[56]$/.test(key))).toEqual([
      '1 family:fam-5',
      '1 family:fam-6',
      '2 family:fam-5',
      '2 family:fam-6',
    ]);
  });
});
