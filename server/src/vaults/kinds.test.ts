import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeAnyEngine } from '../../test/database.ts';
import { liveAt, startIndexing } from '../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import type { AdapterName, Config, FamilyConfig } from '../config/config.ts';
import { type Address, type Hex, lower } from '../domain/hex.ts';
import { type Store, statement } from '../store/store.ts';
import { vaults } from '../store/vaults/vaults.ts';

const CHAIN = 8453;
const abi = parseAbi([
  'function approve(address, uint256)',
  'function transfer(address, uint256)',
  'function deposit(uint256, address)',
  'function redeem(uint256, address, address)',
  'function requestDeposit(uint256, address, address)',
  'function requestRedeem(uint256, address, address)',
  'function deposit(uint256, address, address)',
  'function fulfilDeposit(uint256)',
  'function fulfilRedeem(uint256)',
  'function balanceOf(address)',
  'function totalSupply()',
  'function totalAssets()',
  'function convertToAssets(uint256)',
  'function lastRequestId()',
  'function maxMint(address)',
  'function pendingRedeemRequest(uint256, address)',
  'function claimableRedeemRequest(uint256, address)',
]);
type Name = (typeof abi)[number]['name'];

const positionsOf = statement(
  'test.adapters.positions',
  'select wallet, shares, cost, realized from position where family_id = $1',
);
const newestTick = statement(
  'test.adapters.tick',
  `select c.block_number as "block", c.idle, c.invested, c.share_supply as "supply", c.share_price as "price",
     c.pending_redemption_assets as "owed", t.apy_7d as "apy" from chain_tick c
   join tick t on t.family_id = c.family_id and t.at = c.at where c.family_id = $1 order by c.at desc limit 1`,
);
const historyOf = statement(
  'test.adapters.history',
  `select type, assets, shares from history where family_id = $1 and wallet = $2::bytea and block_number > $3
   order by block_number, log_index`,
);

let served: ServedWorld;
let scriptFrom: number;

beforeAll(async () => {
  served = await serveWorld({ seed: 'adapters', chainIds: [CHAIN], families: ['svcusd'] });
  scriptFrom = served.world.chain(CHAIN).chain.tip.number;
  await playScript();
});
afterAll(() => served?.close());

function encode(name: Name, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi, functionName: name, args } as Parameters<
    typeof encodeFunctionData
  >[0]);
}

async function read(to: Address, name: Name, args: readonly unknown[] = [], block?: number) {
  return BigInt(await served.world.chain(CHAIN).chain.call(to, encode(name, args), block));
}

/** Plays each act in a separate block, ten minutes apart. */
async function playScript(): Promise<void> {
  const { world } = served;
  const { chain } = world.chain(CHAIN);
  const { plainVault, nestedVault, asyncVault } = world.extras!;
  const [alice, bob] = [world.wallets[0]!.address, world.wallets[1]!.address];
  const operator = world.operator.address;
  const act = async (from: Address, to: Address, name: Name, ...args: unknown[]) => {
    await chain.send({ from, to, data: encode(name, args) });
    await chain.mine(chain.tip.time + 600);
  };

  await act(alice, world.stablecoin, 'approve', plainVault, 10n ** 30n);
  await act(alice, plainVault, 'deposit', 400_000_000n, alice);
  await act(alice, plainVault, 'transfer', bob, 100n * 10n ** 12n);
  await act(bob, plainVault, 'redeem', 40n * 10n ** 12n, alice, bob);
  await act(alice, plainVault, 'approve', nestedVault, 10n ** 30n);
  await act(alice, nestedVault, 'deposit', 50n * 10n ** 12n, alice);
  await act(alice, nestedVault, 'redeem', 20n * 10n ** 12n, alice, alice);

  await act(alice, world.stablecoin, 'approve', asyncVault, 10n ** 30n);
  await act(alice, asyncVault, 'requestDeposit', 300_000_000n, alice, alice);
  await act(operator, asyncVault, 'fulfilDeposit', await read(asyncVault, 'lastRequestId'));
  await act(alice, asyncVault, 'deposit', 300_000_000n, alice, alice);
  await act(alice, asyncVault, 'requestRedeem', 100_000_000n, bob, alice);
  await act(operator, asyncVault, 'fulfilRedeem', await read(asyncVault, 'lastRequestId'));
  await act(bob, asyncVault, 'redeem', 60_000_000n, bob, bob);
  await act(alice, asyncVault, 'requestRedeem', 50_000_000n, alice, alice);
  // Mines past the next ticks, plus one block, because the newest second is never known to be complete.
  for (let i = 0; i < 8; i++) await chain.mine(chain.tip.time + 600);
}

function family(slug: string, address: string, adapter: AdapterName): FamilyConfig {
  return {
    slug,
    name: slug,
    address: lower(address),
    adapter,
    feederOf: null,
    bindingDeclarationAddress: lower(address),
    baseAsset: { marketDataId: slug },
    shareAsset: { marketDataId: slug },
    priceFeed: null,
    // The vaults are created in block 2. Before that, calls fail, which is not an error.
    chains: [
      {
        chainId: CHAIN,
        role: 'settlement',
        address: lower(address),
        vaults: [],
        startBlock: 1,
        routers: [],
        custody: [],
      },
    ],
    pools: [],
  };
}

function config(): Config {
  const { plainVault, nestedVault, asyncVault } = served.world.extras!;
  const plain = served.config();
  return {
    ...plain,
    prices: { ...plain.prices, feeds: [] },
    families: [
      family('plain', plainVault, 'erc4626'),
      family('nested', nestedVault, 'erc4626'),
      family('async', asyncVault, 'erc7540'),
    ],
  };
}

interface Held {
  readonly wallet: Address;
  readonly shares: bigint;
  readonly cost: bigint;
  readonly realized: bigint;
}

describe('vault kinds', () => {
  describeAnyEngine('indexed', (open) => {
    let store: Store;
    const ids = new Map<string, number>();

    beforeAll(async () => {
      store = await open();
      const indexing = startIndexing(store, config());
      const { tip } = served.world.chain(CHAIN).chain;
      await indexing.until(liveAt(new Map([[CHAIN, tip.number]])));
      await indexing.stop();
      const { plainVault, nestedVault, asyncVault } = served.world.extras!;
      for (const { address, familyId } of await vaults.getAll(store)) {
        if (address === lower(plainVault)) ids.set('plain', familyId);
        if (address === lower(nestedVault)) ids.set('nested', familyId);
        if (address === lower(asyncVault)) ids.set('async', familyId);
      }
    });

    const held = (slug: string) => store.query<Held>(positionsOf, [ids.get(slug)!]);
    const past = (slug: string, wallet: Address) => {
      const bytes = `\\x${wallet.slice(2).toLowerCase()}`;
      return store.query(historyOf, [ids.get(slug)!, bytes, scriptFrom]);
    };

    test('default', async () => {
      const rows = await vaults.getAll(store);
      const decimals = Object.fromEntries(
        [...ids].map(([slug, id]) => {
          const row = rows.find(({ familyId }) => familyId === id)!;
          return [slug, [row.shareDecimals, row.assetDecimals, row.assetSymbol]];
        }),
      );
      expect(decimals).toEqual({
        plain: [12, 6, 'USDC'],
        nested: [12, 12, 'plUSD'],
        async: [6, 6, 'USDC'],
      });
    });

    test.each(['plain', 'nested', 'async'])(
      'behavior: the state of %s equals the chain’s',
      async (slug) => {
        const { plainVault, nestedVault, asyncVault } = served.world.extras!;
        const address = { plain: plainVault, nested: nestedVault, async: asyncVault }[slug]!;
        const wholeShare = slug === 'async' ? 10n ** 6n : 10n ** 12n;
        const [row] = await store.query<Record<string, bigint> & { block: number }>(newestTick, [
          ids.get(slug)!,
        ]);
        const at = row!.block;
        expect(at).toBeGreaterThan(scriptFrom);
        expect(row!.idle! + row!.invested!).toBe(await read(address, 'totalAssets', [], at));
        expect(row!.supply).toBe(await read(address, 'totalSupply', [], at));
        expect(row!.price).toBe(await read(address, 'convertToAssets', [wholeShare], at));
      },
    );

    test("behavior: a vault's yield is measured with any decimals", async () => {
      const [plain] = await store.query<{ apy: number }>(newestTick, [ids.get('plain')!]);
      // 5% a year without compounding, at a price with six digits.
      expect(plain!.apy).toBeGreaterThan(0.045);
      expect(plain!.apy).toBeLessThan(0.055);
      // Measured in shares of the inner vault, a vault of vaults earns nothing itself.
      const [nested] = await store.query<{ apy: number }>(newestTick, [ids.get('nested')!]);
      expect(Math.abs(nested!.apy)).toBeLessThan(1e-6);
    });

    test.each(['plain', 'nested'])('behavior: every share of %s has its wallet', async (slug) => {
      const { plainVault, nestedVault } = served.world.extras!;
      const address = slug === 'plain' ? plainVault : nestedVault;
      const rows = await held(slug);
      for (const { wallet, shares } of rows) {
        expect(shares, wallet).toBe(await read(address, 'balanceOf', [wallet]));
      }
      const all = rows.reduce((sum, { shares }) => sum + shares, 0n);
      expect(all).toBe(await read(address, 'totalSupply'));
    });

    test('behavior: requested and settled shares belong to their controller until claimed', async () => {
      const { asyncVault } = served.world.extras!;
      const last = await read(asyncVault, 'lastRequestId');
      const rows = await held('async');
      expect(rows.length).toBeGreaterThan(1);
      for (const { wallet, shares } of rows) {
        let own = await read(asyncVault, 'balanceOf', [wallet]);
        for (let id = 1n; id <= last; id++) {
          own += await read(asyncVault, 'pendingRedeemRequest', [id, wallet]);
          own += await read(asyncVault, 'claimableRedeemRequest', [id, wallet]);
        }
        // Shares of settled deposits belong to the wallet before it claims them.
        own += await read(asyncVault, 'maxMint', [wallet]);
        expect(shares, wallet).toBe(own);
      }
    });

    test('behavior: histories', async () => {
      const [alice, bob] = served.world.wallets.map(({ address }) => address) as [Address, Address];
      const [deposit, withdraw, redeem] = [1, 2, 3];
      expect(await past('plain', alice)).toMatchObject([
        { type: deposit, assets: 400_000_000n },
        // Bob's shares, paid to Alice.
        { type: withdraw, shares: 40n * 10n ** 12n },
      ]);
      expect(await past('nested', alice)).toMatchObject([
        { type: deposit, assets: 50n * 10n ** 12n },
        { type: withdraw, shares: 20n * 10n ** 12n },
      ]);
      expect(await past('async', alice)).toMatchObject([
        { type: deposit, assets: 300_000_000n },
        { type: redeem, shares: 50_000_000n },
      ]);
      expect(await past('async', bob)).toMatchObject([
        { type: redeem, shares: 100_000_000n },
        { type: withdraw, shares: 60_000_000n },
      ]);
    });

    test('behavior: received shares cost their value, and an exit belongs to the owner', async () => {
      const bob = lower(served.world.wallets[1]!.address);
      const position = (await held('plain')).find(({ wallet }) => wallet === bob)!;
      expect(position.shares).toBeGreaterThanOrEqual(60n * 10n ** 12n);
      // A few minutes' yield on 40 USD, at a price rounded to six digits.
      const small = position.realized < 0n ? -position.realized : position.realized;
      expect(small).toBeLessThan(2_000_000n);
      expect(position.cost).toBeGreaterThan(59_000_000n);
    });
  });
});
