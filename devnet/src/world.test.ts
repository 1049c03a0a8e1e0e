import {
  type Address,
  createPublicClient,
  defineChain,
  erc20Abi,
  type Hex,
  http,
  parseAbiItem,
  toEventSelector,
} from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { encodeCall, wordAt } from './abi.ts';
import type { DevChain } from './chain.ts';
import { MULTICALL, STABLECOIN } from './plan.ts';
import { balanceOf, pendingOf, readNumber } from './read.ts';
import { serveWorld } from './serve.ts';
import { buildSmallWorld, buildWorld, UnknownChain, type World } from './world.ts';

const ANCHOR = 1_790_000_000;

interface Log {
  address: Address;
  topics: Hex[];
  data: Hex;
}

const EVENTS = {
  Deposit: 'event Deposit(address indexed, address indexed, uint256, uint256)',
  Withdraw: 'event Withdraw(address indexed, address indexed, address indexed, uint256, uint256)',
  RedeemRequest:
    'event RedeemRequest(address indexed, address indexed, uint256, uint256, bool indexed)',
  RequestFulfilled: 'event RequestFulfilled(address indexed, uint256, uint256)',
  RequestCancelled: 'event RequestCancelled(address indexed, uint256, uint256)',
  Transfer: 'event Transfer(address indexed, address indexed, uint256)',
  BridgedOut: 'event BridgedOut(uint256 indexed, uint256)',
  BridgedIn: 'event BridgedIn(uint256 indexed, uint256)',
  SharePriceUpdated: 'event SharePriceUpdated(address indexed, uint256, uint64)',
  PoolDeclared:
    'event PoolDeclared(address indexed, bytes32 indexed, string, uint256, address, uint8, bool, uint8, uint8, uint64)',
  AnswerUpdated: 'event AnswerUpdated(int256 indexed, uint256 indexed, uint256)',
};

function logs(chain: DevChain, event: keyof typeof EVENTS, address?: Address): Promise<Log[]> {
  return chain.rpc<Log[]>('eth_getLogs', [
    { fromBlock: '0x0', address, topics: [toEventSelector(EVENTS[event])] },
  ]);
}

async function blocks(chain: DevChain) {
  const all: { hash: Hex; transactions: Hex[]; timestamp: Hex }[] = [];
  for (let number = 0; number <= chain.tip.number; number++) {
    all.push(await chain.rpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]));
  }
  return all;
}

const hashes = async (chain: DevChain) => (await blocks(chain)).map(({ hash }) => hash);

describe('buildSmallWorld', () => {
  test('default: the same seed and anchor give the same blocks, another seed another genesis', async () => {
    const options = { seed: 'one', days: 2, blocksPerChain: 40 };
    const [first, second, other] = await Promise.all([
      buildSmallWorld(options),
      buildSmallWorld(options),
      buildSmallWorld({ ...options, seed: 'two' }),
    ]);
    for (const { chainId, chain } of first!.chains) {
      const mine = await hashes(chain);
      expect(await hashes(second!.chain(chainId).chain)).toEqual(mine);
      const theirs = await hashes(other!.chain(chainId).chain);
      expect(theirs.filter((hash) => mine.includes(hash))).toEqual([]);
    }
  });

  test('error: a chain that does not exist', async () => {
    const world = await buildSmallWorld({ seed: 'one', chainIds: [42161], blocksPerChain: 8 });
    expect(() => world.chain(8453)).toThrow(UnknownChain);
  });
});

describe('buildWorld', () => {
  let world: World;
  beforeAll(async () => {
    world = await buildWorld({
      seed: 'world test',
      anchor: ANCHOR,
      days: 20,
      wallets: 40,
      blocksPerChain: 260,
    });
  }, 60_000);

  test('default: six families over three chains, the vault at one address', async () => {
    expect(world.families.map(({ slug }) => slug)).toEqual([
      'svcusd',
      'svceth',
      'svcbtc',
      'svceur',
      'svcgold',
      'svcusd-edge',
    ]);
    for (const family of world.families) {
      expect(family.chains.length).toBeGreaterThanOrEqual(2);
      expect(family.chains.some(({ role }) => role === 'settlement')).toBe(true);
      for (const { chainId, asset } of family.chains) {
        const { chain } = world.chain(chainId);
        const data = await chain.call(family.address, encodeCall('asset()'));
        expect(wordAt(data, 0)).toBe(BigInt(asset));
        expect(await readNumber(chain, family.address, 'decimals()')).toBe(BigInt(family.decimals));
      }
      const assets = family.chains.map(({ asset }) => asset);
      expect(new Set(assets).size).toBe(assets.length);
    }
  });

  test('behavior: every transaction of the history succeeds, and time only goes forward to the anchor', async () => {
    for (const { chain } of world.chains) {
      let before = 0;
      for (const { transactions, timestamp } of await blocks(chain)) {
        expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
        before = Number(timestamp);
        for (const hash of transactions) {
          const receipt = await chain.rpc<{ status: Hex }>('eth_getTransactionReceipt', [hash]);
          expect(receipt.status).toBe('0x1');
        }
      }
      expect(before).toBe(ANCHOR);
    }
  });

  test('behavior: every kind of event occurs', async () => {
    const counts: Record<string, number> = {};
    for (const { chain } of world.chains) {
      for (const event of Object.keys(EVENTS) as (keyof typeof EVENTS)[]) {
        counts[event] = (counts[event] ?? 0) + (await logs(chain, event)).length;
      }
      const requests = await logs(chain, 'RedeemRequest');
      for (const { topics } of requests) {
        const kind = BigInt(topics[3]!) === 1n ? 'instant' : 'queued';
        counts[kind] = (counts[kind] ?? 0) + 1;
        if (BigInt(topics[2]!) === BigInt(world.router)) counts.routed = (counts.routed ?? 0) + 1;
      }
    }
    expect(counts.BridgedIn).toBe(counts.BridgedOut);
    for (const event of [...Object.keys(EVENTS), 'instant', 'queued', 'routed']) {
      expect(counts[event], event).toBeGreaterThan(0);
    }
  });

  test('behavior: every chain of a family publishes the same prices, rising', async () => {
    for (const family of world.families.filter(({ feederOf }) => feederOf === null)) {
      const published = new Map<bigint, Set<number>>();
      for (const { chainId } of family.chains) {
        const updates = await logs(world.chain(chainId).chain, 'SharePriceUpdated');
        const prices = updates
          .filter(({ topics }) => BigInt(topics[1]!) === BigInt(family.address))
          .map(({ data }) => wordAt(data, 0));
        expect(prices.length).toBeGreaterThan(10);
        expect(prices).toEqual(prices.toSorted((a, b) => (a < b ? -1 : 1)));
        for (const price of prices) {
          published.set(price, (published.get(price) ?? new Set()).add(chainId));
        }
      }
      const shared = [...published.values()].filter(({ size }) => size === family.chains.length);
      expect(shared.length / published.size).toBeGreaterThan(0.8);
    }
  });

  test("behavior: a family's assets cover the value of its shares", async () => {
    for (const family of world.families) {
      let has = 0n;
      let worth = 0n;
      for (const { chainId, asset } of family.chains) {
        const { chain } = world.chain(chainId);
        has += await holdings(chain, family, asset);
        worth += await readNumber(chain, family.address, 'totalAssets()');
      }
      expect(worth).toBeGreaterThan(0n);
      expect(has).toBeGreaterThanOrEqual(worth);
      // The excess is limited to the buffer, fees, and the venues' surplus.
      expect(has).toBeLessThan((worth * 120n) / 100n);
    }
  });

  test('behavior: a venue holds the assets that it owes', async () => {
    for (const { chainId, venue, asset } of world.families.flatMap(({ pools }) => pools)) {
      const { chain } = world.chain(chainId);
      const held = await balanceOf(chain, asset, venue);
      const total = await readNumber(chain, venue, 'totalAssets()');
      // Yield since the last action is minted with the next one.
      expect(held).toBeGreaterThan((total * 99n) / 100n);
    }
  });

  async function holdings(chain: DevChain, family: World['families'][number], asset: Address) {
    const vault = family.address;
    let has = await balanceOf(chain, asset, vault);
    if (family.feederOf !== null) {
      const master = family.bindingDeclarationAddress;
      const shares = await balanceOf(chain, master, vault);
      has += await readNumber(chain, master, 'convertToAssets(uint256)', [shares]);
      return has + (await pendingOf(chain, master, vault)).assets;
    }
    for (const pool of family.pools.filter(({ chainId }) => chainId === chain.chainId)) {
      const shares = await balanceOf(chain, pool.venue, vault);
      has += await readNumber(chain, pool.venue, 'convertToAssets(uint256)', [shares]);
      if (pool.kind !== 2) continue;
      has += await readNumber(chain, pool.venue, 'pendingExitAssets(address)', [vault]);
    }
    return has;
  }

  test('behavior: the public wallets have stablecoins, gas, and positions', async () => {
    const { chain } = world.chain(8453);
    expect(world.wallets.length).toBeGreaterThanOrEqual(10);
    for (const { address } of world.wallets) {
      expect(await balanceOf(chain, STABLECOIN, address)).toBe(1_000_000_000n);
      let positions = 0;
      for (const family of world.families) {
        for (const { chainId } of family.chains) {
          const on = world.chain(chainId).chain;
          if ((await balanceOf(on, family.address, address)) > 0n) positions += 1;
        }
      }
      expect(positions).toBeGreaterThanOrEqual(2);
    }
    expect(await balanceOf(chain, STABLECOIN, world.blockedWallet.address)).toBe(1_000_000_000n);
    for (const entry of world.chains) {
      for (const { address } of [...world.wallets, ...world.facilitators, world.blockedWallet]) {
        const wei = await entry.chain.rpc<Hex>('eth_getBalance', [address, 'latest']);
        expect(BigInt(wei)).toBeGreaterThan(10n ** 18n);
      }
    }
  });

  test('behavior: some requests are open at the end', async () => {
    let waiting = 0;
    for (const family of world.families) {
      for (const { chainId } of family.chains) {
        const { chain } = world.chain(chainId);
        for (const { address } of world.wallets) {
          if ((await pendingOf(chain, family.address, address)).shares > 0n) waiting += 1;
        }
      }
    }
    expect(waiting).toBeGreaterThanOrEqual(4);
  });

  test('behavior: without a price the conversions fail and totalAssets is 0', async () => {
    const gold = world.families.find(({ slug }) => slug === 'svcgold')!;
    const { chain } = world.chain(42161);
    const convert = encodeCall('convertToAssets(uint256)', [1_000_000n]);
    await expect(chain.call(gold.address, convert, 4)).rejects.toThrow();
    const total = await chain.call(gold.address, encodeCall('totalAssets()'), 4);
    expect(wordAt(total, 0)).toBe(0n);
    expect(
      await readNumber(chain, gold.address, 'convertToAssets(uint256)', [1_000_000n]),
    ).toBeGreaterThan(0n);
  });

  test('behavior: pool declarations carry an offchainId, this chain and a rising epoch', async () => {
    const event = parseAbiItem(
      'event PoolDeclared(address indexed vault, bytes32 indexed id, string offchainId, uint256 chainId, address venue, uint8 venueKind, bool idleOnly, uint8 status, uint8 riskScore, uint64 epoch)',
    );
    const server = await serveWorld(world);
    try {
      for (const { chainId, url } of world.chains) {
        const client = createPublicClient({ transport: http(url!) });
        const declared = await client.getLogs({ address: world.registry, event, fromBlock: 0n });
        expect(declared.length).toBeGreaterThan(3);
        expect(declared.map(({ args }) => Number(args.epoch))).toEqual(
          declared.map((_, index) => index + 1),
        );
        const known = world.families.flatMap(({ pools }) => pools);
        for (const { args } of declared) {
          expect(args.chainId).toBe(BigInt(chainId));
          expect(known.some(({ offchainId }) => offchainId === args.offchainId)).toBe(true);
        }
      }
    } finally {
      await server.close();
    }
  });

  test('behavior: a stock client batches reads through Multicall3', async () => {
    const server = await serveWorld(world);
    try {
      const entry = world.chain(8453);
      const chain = defineChain({
        id: 8453,
        name: 'base',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [entry.url!] } },
        contracts: { multicall3: { address: MULTICALL } },
      });
      const client = createPublicClient({ chain, transport: http() });
      const token = { address: STABLECOIN, abi: erc20Abi } as const;
      const [symbol, decimals, missing] = await client.multicall({
        contracts: [
          { ...token, functionName: 'symbol' },
          { ...token, functionName: 'decimals' },
          { address: world.oracle, abi: erc20Abi, functionName: 'symbol' },
        ],
      });
      expect(symbol).toEqual({ status: 'success', result: 'USDC' });
      expect(decimals).toEqual({ status: 'success', result: 6 });
      expect(missing.status).toBe('failure');
    } finally {
      await server.close();
    }
  });

  test('behavior: the vaults of other kinds are in use', async () => {
    const { chain } = world.chain(8453);
    const { plainVault, nestedVault, asyncVault } = world.extras!;
    expect(await readNumber(chain, plainVault, 'decimals()')).toBe(12n);
    for (const vault of [plainVault, nestedVault, asyncVault]) {
      expect(await readNumber(chain, vault, 'totalSupply()')).toBeGreaterThan(0n);
    }
    expect(await readNumber(chain, asyncVault, 'lastRequestId()')).toBeGreaterThan(2n);
    const data = await chain.call(nestedVault, encodeCall('asset()'));
    expect(wordAt(data, 0)).toBe(BigInt(plainVault));
  });
});
