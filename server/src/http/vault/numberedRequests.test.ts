import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config, FamilyConfig } from '../../config/config.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { requestIds } from '../../store/history/requestIds.ts';
import { type SourceRow, sources } from '../../store/sources/sources.ts';
import { createLiveChains } from './liveChains.ts';
import { pendingRedeemRoutes } from './pendingRedeems.ts';
import type { PendingRedeems } from './pendingRedeemsSchema.ts';

const CHAIN = 8453;
const abi = parseAbi([
  'function approve(address, uint256)',
  'function requestDeposit(uint256, address, address)',
  'function requestRedeem(uint256, address, address)',
  'function deposit(uint256, address, address)',
  'function redeem(uint256, address, address)',
  'function fulfilDeposit(uint256)',
  'function fulfilRedeem(uint256)',
  'function lastRequestId()',
  'function convertToAssets(uint256)',
]);

let served: ServedWorld;
let vault: Address;
let alice: Address;
let bob: Address;
/** Bob's requests: the first paid, the second claimable, the others waiting. */
const ids: bigint[] = [];

beforeAll(async () => {
  served = await serveWorld({ seed: 'numbered', chainIds: [CHAIN], families: ['svcusd'] });
  const { world } = served;
  vault = lower(world.extras!.asyncVault);
  [alice, bob] = world.wallets.map(({ address }) => address) as [Address, Address];
  const operator = world.operator.address;
  await act(alice, world.stablecoin, 'approve', vault, 10n ** 30n);
  await act(alice, vault, 'requestDeposit', 300_000_000n, alice, alice);
  await act(operator, vault, 'fulfilDeposit', await read('lastRequestId'));
  await act(alice, vault, 'deposit', 300_000_000n, alice, alice);
  for (const shares of [10_000_000n, 20_000_000n, 30_000_000n, 40_000_000n]) {
    await act(alice, vault, 'requestRedeem', shares, bob, alice);
    ids.push(await read('lastRequestId'));
  }
  await act(operator, vault, 'fulfilRedeem', ids[0]);
  await act(bob, vault, 'redeem', 10_000_000n, bob, bob);
  await act(operator, vault, 'fulfilRedeem', ids[1]);
});
afterAll(() => served?.close());

type Name = (typeof abi)[number]['name'];

function encode(name: Name, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi, functionName: name, args } as never);
}

async function act(from: Address, to: Address, name: Name, ...args: unknown[]): Promise<void> {
  const { chain } = served.world.chain(CHAIN);
  await chain.send({ from, to, data: encode(name, args) });
  await chain.mine(chain.tip.time + 60);
}

async function read(name: Name, ...args: unknown[]): Promise<bigint> {
  return BigInt(await served.world.chain(CHAIN).chain.call(vault, encode(name, args)));
}

function config(): Config {
  const plain = served.config();
  const family: FamilyConfig = {
    slug: 'async',
    name: 'async',
    address: vault,
    adapter: 'erc7540',
    feederOf: null,
    bindingDeclarationAddress: vault,
    baseAsset: { marketDataId: 'async' },
    shareAsset: { marketDataId: 'async' },
    priceFeed: null,
    chains: [
      {
        chainId: CHAIN,
        role: 'settlement',
        address: vault,
        vaults: [],
        startBlock: 1,
        routers: [],
        custody: [],
      },
    ],
    pools: [],
  };
  return { ...plain, prices: { ...plain.prices, feeds: [] }, families: [family] };
}

describeEachEngine('numbered requests', (open) => {
  test('default: all that waits, whatever its number, and what can be claimed', async () => {
    const store = await open();
    const indexing = startIndexing(store, config());
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    const chains = createLiveChains(config(), { deadlineMs: 60_000 });
    try {
      const [route] = pendingRedeemRoutes({ config: config(), store, chains });
      const ask = (walletAddress: string) =>
        route!.answer({
          path: { walletAddress },
          query: new Map(),
          now: 0,
        }) as Promise<PendingRedeems>;
      const worth = await read('convertToAssets', 70_000_000n);
      const { redeems, incompleteChains } = await ask(bob);
      expect(incompleteChains).toEqual([]);
      expect(redeems).toMatchObject([
        { shares: '70000000', currentAssets: `${worth}`, claimableShares: '20000000' },
      ]);
      // Who asked on behalf of another waits for nothing.
      expect((await ask(alice)).redeems.map(({ shares }) => shares)).not.toContain('70000000');
      // A request that is not indexed yet has no number to ask for.
      const [{ chainId, indexedBlock, indexedTime }] = (await sources.getAll(store)) as [SourceRow];
      await sources.rollback(store, chainId, indexedBlock - 1, indexedTime);
      expect((await ask(bob)).incompleteChains).toEqual([CHAIN]);
      expect((await ask(bob)).redeems).toEqual(redeems);
    } finally {
      chains.close();
    }
  });

  test('behavior: the newest numbers of a wallet first, as many as asked for', async () => {
    const store = await open();
    const all = await requestIds.getOfWallet(store, lower(bob), 10);
    expect(all.map(({ requestId }) => requestId).slice(0, 4)).toEqual([...ids].reverse());
    expect(all.every(({ chainId }) => chainId === CHAIN)).toBe(true);
    const some = await requestIds.getOfWallet(store, lower(bob), 2);
    expect(some.map(({ requestId }) => requestId)).toEqual([ids[3], ids[2]]);
  });
});
