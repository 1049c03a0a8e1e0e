import { createRequire } from 'node:module';
import { Value } from 'typebox/value';
import { encodeFunctionData, getAddress, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config, FamilyConfig } from '../../config/config.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { families } from '../../store/families/families.ts';
import { depositRequests } from '../../store/requests/depositRequests.ts';
import { type SourceRow, sources } from '../../store/sources/sources.ts';
import type { Store } from '../../store/store.ts';
import { BadParameters, NotFound } from '../problem.ts';
import { createLiveChains, type LiveChains } from './liveChains.ts';
import { pendingDepositRoutes } from './pendingDeposits.ts';
import type { PendingDeposits } from './pendingDepositsSchema.ts';
import { pendingRedeemRoutes } from './pendingRedeems.ts';
import type { PendingRedeems } from './pendingRedeemsSchema.ts';

const CHAIN = 8453;
const FURTHER: Address = '0x7575000000000000000000000000000000000000';
const TOKEN: Address = '0x7575000000000000000000000000000000000001';
/** A vault over the same shares in another asset: every wallet has 40 pending and 4 shares to redeem. */
const SOURCE = `pragma solidity ^0.8.24;
contract Further {
  address public constant asset = ${getAddress(TOKEN)};
  function pendingDepositRequest(uint256 id, address) external pure returns (uint256) {
    require(id == 0);
    return 40;
  }
  function claimableDepositRequest(uint256, address) external pure returns (uint256) {
    return 0;
  }
  function pendingRedeemRequest(uint256 id, address) external pure returns (uint256) {
    require(id == 0);
    return 4;
  }
  function convertToAssets(uint256 shares) external pure returns (uint256) {
    return shares * 100;
  }
}
contract Token {
  string public constant symbol = "EURX";
  uint8 public constant decimals = 2;
}`;
const abi = parseAbi([
  'function approve(address, uint256)',
  'function requestDeposit(uint256, address, address)',
  'function deposit(uint256, address, address)',
  'function fulfilDeposit(uint256)',
  'function lastRequestId()',
  'function maxMint(address)',
]);

let served: ServedWorld;
let vault: Address;
let alice: Address;
let bob: Address;
let carol: Address;
/** Bob's requests: the first is claimed, the second claimable, the others pending. */
const ids: bigint[] = [];

beforeAll(async () => {
  served = await serveWorld({ seed: 'deposits', chainIds: [CHAIN], families: ['svcusd'] });
  const { world } = served;
  vault = lower(world.extras!.asyncVault);
  [alice, bob, carol] = world.wallets.map(({ address }) => lower(address)) as [
    Address,
    Address,
    Address,
  ];
  const operator = world.operator.address;
  await act(alice, world.stablecoin, 'approve', vault, 10n ** 30n);
  for (const assets of [10_000_000n, 20_000_000n, 30_000_000n, 40_000_000n]) {
    await act(alice, vault, 'requestDeposit', assets, bob, alice);
    ids.push(await read('lastRequestId'));
  }
  await act(operator, vault, 'fulfilDeposit', ids[0]);
  await act(bob, vault, 'deposit', 10_000_000n, bob, bob);
  await act(operator, vault, 'fulfilDeposit', ids[1]);
  const { chain } = world.chain(CHAIN);
  const code = compile();
  await chain.rpc('hardhat_setCode', [FURTHER, code.Further]);
  await chain.rpc('hardhat_setCode', [TOKEN, code.Token]);
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

function config(further: readonly Address[] = []): Config {
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
        vaults: further,
        startBlock: 1,
        routers: [],
        custody: [],
      },
    ],
    pools: [],
  };
  return {
    ...plain,
    prices: { ...plain.prices, feeds: [] },
    families: [family, ...plain.families],
  };
}

describeAnyEngine('pending deposits', (open) => {
  let store: Store;
  let chains: LiveChains;
  beforeAll(async () => {
    store = await open();
    const indexing = startIndexing(store, config());
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    chains = createLiveChains(config(), { deadlineMs: 60_000 });
    // Adds the rows once, regardless of the indexer's progress.
    const familyId = await asyncId();
    await depositRequests.removeOfSource(store, familyId, CHAIN);
    await depositRequests.insert(
      store,
      familyId,
      CHAIN,
      ids.map((requestId, i) => ({
        place: { blockTime: 1_800_000_000, chainId: CHAIN, blockNumber: 1_000 + i, logIndex: 0 },
        wallet: bob,
        requestId,
        assets: 1n,
      })),
    );
  });
  afterAll(() => chains?.close());

  async function asyncId(): Promise<number> {
    return (await families.getAll(store)).find(({ slug }) => slug === 'async')!.familyId;
  }

  function over(given: Config, live = chains) {
    const [route] = pendingDepositRoutes({ config: given, store, chains: live });
    const ask = async (walletAddress: string, query: Record<string, string> = {}) => {
      const answer = await route!.answer({
        path: { walletAddress },
        query: new Map(Object.entries(query).map(([name, value]) => [name, [value]])),
        now: 0,
      });
      expect([...Value.Errors(route!.response, answer)]).toEqual([]);
      return answer as PendingDeposits;
    };
    return { route: route!, ask };
  }

  test('default: pending deposits of any number, and claimable ones', async () => {
    const { route, ask } = over(config());
    expect(Value.Check(route.response, route.responseExample)).toBe(true);
    const mintable = await read('maxMint', bob);
    expect(mintable).toBeGreaterThan(0n);
    expect(await ask(bob)).toEqual({
      deposits: [
        {
          family: 'async',
          chainId: CHAIN,
          vault: getAddress(vault),
          assets: '70000000',
          claimableAssets: '20000000',
          claimableShares: `${mintable}`,
          shareDecimals: 6,
          baseAsset: getAddress(served.world.stablecoin),
          baseAssetDecimals: 6,
          baseAssetSymbol: 'USDC',
        },
      ],
      incompleteChains: [],
    });
    // A wallet that requested on behalf of another has nothing pending, and other kinds of vault queue no deposits.
    expect(await ask(alice)).toEqual({ deposits: [], incompleteChains: [] });
    expect(await ask(bob, { family: 'svcusd' })).toEqual({ deposits: [], incompleteChains: [] });
  });

  test('behavior: additional vaults over the same shares have separate entries', async () => {
    const { ask } = over(config([FURTHER]));
    const { deposits, incompleteChains } = await ask(carol);
    expect(incompleteChains).toEqual([]);
    expect(deposits).toMatchObject([
      {
        family: 'async',
        vault: getAddress(FURTHER),
        assets: '40',
        claimableAssets: '0',
        claimableShares: '0',
        shareDecimals: 6,
        baseAsset: getAddress(TOKEN),
        baseAssetDecimals: 2,
        baseAssetSymbol: 'EURX',
      },
    ]);
    const [route] = pendingRedeemRoutes({ config: config([FURTHER]), store, chains });
    const answer = await route!.answer({
      path: { walletAddress: carol },
      query: new Map(),
      now: 0,
    });
    expect([...Value.Errors(route!.response, answer)]).toEqual([]);
    expect((answer as PendingRedeems).redeems.filter(({ family }) => family === 'async')).toEqual([
      {
        family: 'async',
        chainId: CHAIN,
        vault: getAddress(FURTHER),
        shares: '4',
        requestedAssets: '400',
        currentAssets: '400',
        shareDecimals: 6,
        baseAsset: getAddress(TOKEN),
        baseAssetDecimals: 2,
        baseAssetSymbol: 'EURX',
        assetsAhead: null,
        assetsAheadReason: 'several-vaults',
        assetsBefore: null,
        assetsBeforeReason: 'several-vaults',
      },
    ]);
  });

  test('behavior: an additional vault that does not respond hides no other', async () => {
    const { ask } = over(config([TOKEN]));
    const { deposits, incompleteChains } = await ask(bob);
    expect(deposits).toMatchObject([{ vault: getAddress(vault), assets: '70000000' }]);
    expect(incompleteChains).toEqual([CHAIN]);
  });

  test('behavior: a chain that cannot be read, or is not read to its end, is listed', async () => {
    const given = config();
    const cut = { ...given, chains: given.chains.map((chain) => ({ ...chain, rpcUrls: [] })) };
    const none = createLiveChains(cut);
    expect(await over(cut, none).ask(bob)).toEqual({ deposits: [], incompleteChains: [CHAIN] });
    none.close();
    // A request that is not indexed yet has no known id.
    const rows = (await sources.getAll(store)) as SourceRow[];
    const { indexedBlock, indexedTime } = rows.find(({ key }) => key === 'family:async')!;
    await sources.rollback(store, CHAIN, indexedBlock - 1, indexedTime);
    const { deposits, incompleteChains } = await over(given).ask(bob);
    expect(deposits).toHaveLength(1);
    expect(incompleteChains).toEqual([CHAIN]);
  });

  test('error: an unknown family, and an invalid wallet', async () => {
    const { ask } = over(config());
    await expect(ask(bob, { family: 'nothing' })).rejects.toThrow(NotFound);
    await expect(ask('0x12')).rejects.toThrow(BadParameters);
  });
});

function compile(): Record<'Further' | 'Token', string> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { 'Vault.sol': { content: SOURCE } },
    settings: { outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  };
  const found = JSON.parse(solc.compile(JSON.stringify(input))).contracts['Vault.sol'];
  const code = (name: string) => `0x${found[name].evm.deployedBytecode.object}`;
  return { Further: code('Further'), Token: code('Token') };
}
