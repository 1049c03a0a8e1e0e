import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config, FamilyConfig } from '../../config/config.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { requestIds } from '../../store/history/requestIds.ts';
import { type SourceRow, sources } from '../../store/sources/sources.ts';
import { createLiveChains } from './liveChains.ts';
import { pendingRedeemRoutes } from './pendingRedeems.ts';
import type { PendingRedeems } from './pendingRedeemsSchema.ts';
import { MAX_REQUESTS } from './walletQueues.ts';

const CHAIN = 8453;
/** One more than the maximum number of requests read by age. */
const DUST = MAX_REQUESTS + 1;
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
let carol: Address;
/** Bob's requests: the first is paid, the second claimable, the others pending. */
const ids: bigint[] = [];

beforeAll(async () => {
  served = await serveWorld({ seed: 'numbered', chainIds: [CHAIN], families: ['svcusd'] });
  const { world } = served;
  vault = lower(world.extras!.asyncVault);
  [alice, bob, carol] = world.wallets.map(({ address }) => address) as [Address, Address, Address];
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
  await act(alice, vault, 'requestRedeem', 50_000_000n, carol, alice);
  await sendDust(carol, DUST);
});
afterAll(() => served?.close());

/** Sends requests of one unit from alice in another account's name. */
async function sendDust(to: Address, count: number): Promise<void> {
  const { chain } = served.world.chain(CHAIN);
  const data = encode('requestRedeem', [1n, to, alice]);
  for (let i = 0; i < count; i++) {
    await chain.send({ from: alice, to: vault, data, gas: 300_000 });
    if (i % 50 === 49 || i === count - 1) await chain.mine(chain.tip.time + 60);
  }
}

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

describeAnyEngine('numbered requests', (open) => {
  beforeAll(async () => {
    const indexing = startIndexing(await open(), config());
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
  });

  test('default: pending requests of any number, and claimable ones', async () => {
    const store = await open();
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
      // A wallet that requested on behalf of another has nothing pending.
      expect((await ask(alice)).redeems.map(({ shares }) => shares)).not.toContain('70000000');
      // A request that is not indexed yet has no known id.
      const [{ chainId, indexedBlock, indexedTime }] = (await sources.getAll(store)) as [SourceRow];
      await sources.rollback(store, chainId, indexedBlock - 1, indexedTime);
      expect((await ask(bob)).incompleteChains).toEqual([CHAIN]);
      expect((await ask(bob)).redeems).toEqual(redeems);
    } finally {
      chains.close();
    }
  });

  test("behavior: dust requests in a wallet's name hide none of its pending requests", async () => {
    const store = await open();
    const chains = createLiveChains(config(), { deadlineMs: 60_000 });
    try {
      const [route] = pendingRedeemRoutes({ config: config(), store, chains });
      const asked = { path: { walletAddress: carol }, query: new Map(), now: 0 };
      const { redeems } = (await route!.answer(asked)) as PendingRedeems;
      expect(redeems).toMatchObject([{ shares: String(50_000_000 + DUST) }]);
    } finally {
      chains.close();
    }
  });

  test('behavior: returns the largest and the newest numbers of a wallet, up to the limit', async () => {
    const store = await open();
    const all = await requestIds.getOfWallet(store, lower(bob), 10);
    expect(all.map(({ requestId }) => requestId)).toEqual([...ids].reverse());
    expect(all.every(({ chainId, inAll }) => chainId === CHAIN && inAll === 4)).toBe(true);
    const some = await requestIds.getOfWallet(store, lower(bob), 2);
    expect(some.map(({ requestId }) => requestId)).toEqual([ids[3], ids[2]]);
    const [biggest, newest, ...none] = await requestIds.getOfWallet(store, lower(carol), 1);
    expect(none).toEqual([]);
    expect([biggest!.inAll, newest!.inAll]).toEqual([DUST + 1, DUST + 1]);
    expect(newest!.requestId - biggest!.requestId).toBe(BigInt(DUST));
  });
});
