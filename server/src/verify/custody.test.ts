import { type Abi, encodeDeployData, encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadArtifacts } from '../../../devnet/src/index.ts';
import { describeAnyEngine } from '../../test/database.ts';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import type { AdapterName, FamilyConfig } from '../config/config.ts';
import { type Address, type Hex, lower } from '../domain/hex.ts';
import { bytesColumn, numericColumn } from '../store/columns.ts';
import { type Store, statement } from '../store/store.ts';
import type { Served } from './served.ts';
import { verify } from './verify.ts';

const CHAIN = 8453;
const UNIT = 1_000_000n;
const ABI = parseAbi([
  'function approve(address, uint256)',
  'function transfer(address, uint256)',
  'function deposit(uint256, address)',
  'function claim(uint256, address, address)',
  'function requestDeposit(uint256, address, address)',
  'function requestRedeem(uint256, address, address)',
  'function fulfilDeposit(uint256)',
  'function fulfilRedeem(uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function totalAssets() view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
  'function pendingRedeemRequest(uint256, address) view returns (uint256)',
]);

let served: ServedWorld;
/** A vault whose queue is in an account that it does not report, and one without a queue. */
let [queued, plain, silo, shop]: Address[] = [];
let [alice, bob, carol, dave]: Address[] = [];

beforeAll(async () => {
  served = await serveWorld({ seed: 'custody', chainIds: [CHAIN], families: ['svcusd'] });
  const { world } = served;
  [alice, bob, carol, dave] = world.wallets.map(({ address }) => lower(address)) as [
    Address,
    Address,
    Address,
    Address,
  ];
  plain = lower(world.extras!.plainVault);
  shop = lower(world.extras!.nestedVault);
  const { SiloVault } = await loadArtifacts();
  const { abi, bytecode } = SiloVault!;
  const operator = world.operator.address;
  const args = ['Queued', 'Q', world.stablecoin, operator];
  queued = (await mine(operator, encodeDeployData({ abi, bytecode, args }))).contractAddress!;
  await playQueue(operator);
  await playPlain();
  // The newest second is never known to be complete.
  await mine(alice!, encode('approve', [queued, 0n]), world.stablecoin);
});
afterAll(() => served?.close());

/** Alice has a pending redemption, Bob claimable shares, Carol a claimable redemption; Dave only holds. */
async function playQueue(operator: Address): Promise<void> {
  const act = (from: Address, name: string, ...args: unknown[]) =>
    mine(from, encode(name, args), queued);
  for (const [i, wallet] of [alice!, bob!, carol!, dave!].entries()) {
    await mine(wallet, encode('approve', [queued, 10n ** 30n]), served.world.stablecoin);
    await act(wallet, 'requestDeposit', 100n * UNIT, wallet, wallet);
    await act(operator, 'fulfilDeposit', BigInt(i + 1));
    if (wallet !== bob) await act(wallet, 'claim', 100n * UNIT, wallet, wallet);
  }
  const { logs } = await act(alice!, 'requestRedeem', 40n * UNIT, alice, alice);
  silo = lower(`0x${logs[0]!.topics[2]!.slice(26)}`);
  await act(carol!, 'requestRedeem', 25n * UNIT, carol, carol);
  await act(operator, 'fulfilRedeem', 6n);
}

async function playPlain(): Promise<void> {
  const act = (from: Address, name: string, ...args: unknown[]) =>
    mine(from, encode(name, args), plain);
  for (const wallet of [alice!, dave!]) {
    await mine(wallet, encode('approve', [plain, 10n ** 30n]), served.world.stablecoin);
    await act(wallet, 'deposit', 100n * UNIT, wallet);
  }
}

interface Receipt {
  readonly status: Hex;
  readonly contractAddress: Address | null;
  readonly logs: readonly { readonly topics: readonly Hex[] }[];
}

async function mine(from: Address, data: Hex, to?: Address): Promise<Receipt> {
  const { chain } = served.world.chain(CHAIN);
  const hash = await chain.send({ from, data, gas: 5_000_000, ...(to && { to }) });
  await chain.mine(chain.tip.time + 60);
  const receipt = await chain.rpc<Receipt>('eth_getTransactionReceipt', [hash]);
  if (receipt.status !== '0x1') throw new Error(`refused: ${data}`);
  return receipt;
}

function encode(name: string, args: readonly unknown[]): Hex {
  // A claim is a deposit with a controller: two overloads of one function.
  const abi = parseAbi(['function deposit(uint256, address, address)']) as Abi;
  if (name === 'claim') return encodeFunctionData({ abi, functionName: 'deposit', args });
  return encodeFunctionData({ abi: ABI as Abi, functionName: name, args });
}

async function read(to: Address, name: string, ...args: unknown[]): Promise<bigint> {
  const { chain } = served.world.chain(CHAIN);
  return BigInt(await chain.call(to, encode(name, args)));
}

function familyOf(
  adapter: AdapterName,
  address: Address,
  custody: readonly Address[],
): FamilyConfig {
  const [any] = served.config().families;
  const chain = { ...any!.chains[0]!, address, custody, routers: [], startBlock: 1 };
  const { registry: _, oracle: __, ...own } = chain;
  const names = { slug: adapter, bindingDeclarationAddress: address, priceFeed: null };
  return { ...any!, ...names, adapter, address, feederOf: null, chains: [own], pools: [] };
}

/** The snapshot with the chain's current values. */
async function snapshotOf(family: FamilyConfig): Promise<Served> {
  const { address } = family;
  const { tip } = served.world.chain(CHAIN).chain;
  const [tvl, supply, held] = await Promise.all([
    read(address, 'totalAssets'),
    read(address, 'totalSupply'),
    read(served.world.stablecoin, 'balanceOf', address),
  ]);
  const decimals = family.adapter === 'erc7540' ? 6n : 12n;
  const price = await read(address, 'convertToAssets', 10n ** decimals);
  const pending =
    family.adapter === 'erc7540' ? await read(address, 'convertToAssets', 40n * UNIT) : 0n;
  const idle = held < tvl ? held : tvl;
  const sums = {
    idle: String(family.adapter === 'erc7540' ? 0n : idle),
    invested: String(family.adapter === 'erc7540' ? tvl : tvl - idle),
    pendingExits: '0',
    tvl: String(tvl),
  };
  const chain = { ...sums, chainId: CHAIN, block: String(tip.number), shareSupply: String(supply) };
  const stats = {
    ...sums,
    updatedAt: new Date(tip.time * 1000).toISOString(),
    tvlUsd: null,
    pendingRedemptionAssets: String(pending),
    totalShares: String(supply),
    assetsPerShare: String(price),
    chains: [chain],
    pools: [],
  };
  const poolChains = [{ chainId: CHAIN, block: tip.number, at: tip.time }];
  return { stats, poolFamily: family, poolChains };
}

const insertFamily = statement(
  'test.custody.family',
  'insert into family (slug, position_until) values ($1, $2) on conflict (slug) do update set position_until = $2',
);
const insertSource = statement(
  'test.custody.source',
  `insert into source (chain_id, key, family_id, fingerprint, start_block, indexed_block, indexed_time)
   select $2, $1, family_id, '', 1, $3, $4 from family where slug = $1
   on conflict (chain_id, key) do update set indexed_block = $3, indexed_time = $4`,
);
const removePositions = statement('test.custody.clear', 'delete from position');
const insertPositions = statement(
  'test.custody.positions',
  `insert into position (family_id, wallet, shares, shares_on, cost, realized)
   select family_id, wallet, shares, '{}', 0, 0 from family, unnest($2::bytea[], $3::numeric[]) as held(wallet, shares)
   where slug = $1`,
);

/** Runs verify over positions with these values. */
async function differences(
  store: Store,
  family: FamilyConfig,
  positions: ReadonlyMap<Address, bigint>,
): Promise<{ readonly different: string[]; readonly unchecked: string[] }> {
  const { tip } = served.world.chain(CHAIN).chain;
  await store.query(insertFamily, [family.slug, tip.time]);
  await store.query(insertSource, [family.slug, CHAIN, tip.number, tip.time]);
  await store.query(removePositions);
  await store.query(insertPositions, [
    family.slug,
    bytesColumn([...positions.keys()]),
    numericColumn([...positions.values()]),
  ]);
  const lines: string[] = [];
  await verify({
    config: { ...served.config(), families: [family] },
    families: [family],
    store,
    loadServed: snapshotOf,
    loadWallet: async () => undefined,
    loadPending: async () => ({ redeems: [], incompleteChains: [CHAIN] }),
    wallets: 20,
    seed: 'test',
    print: (line) => lines.push(line),
  });
  const starting = (prefix: string) => lines.filter((line) => line.startsWith(prefix));
  return { different: starting('DIFFERENT'), unchecked: starting('NOT CHECKED') };
}

/** Every account that ever received shares, with balance and queue; `left` excludes custody accounts. */
async function queuedPositions(left: readonly Address[]): Promise<Map<Address, bigint>> {
  const pendingShares = new Map([
    [alice!, 40n * UNIT],
    [bob!, 100n * UNIT],
    [carol!, 25n * UNIT],
  ]);
  const held = new Map<Address, bigint>();
  for (const wallet of [alice!, bob!, carol!, dave!, silo!]) {
    if (left.includes(wallet)) continue;
    held.set(
      wallet,
      (await read(queued!, 'balanceOf', wallet)) + (pendingShares.get(wallet) ?? 0n),
    );
  }
  return held;
}

/** For the plain vault: every account in its transfers. */
async function plainPositions(left: readonly Address[]): Promise<Map<Address, bigint>> {
  const { chain } = served.world.chain(CHAIN);
  const filter = { address: plain, fromBlock: '0x0', toBlock: 'latest' };
  const logs = await chain.rpc<{ topics: Hex[] }[]>('eth_getLogs', [filter]);
  const named = logs.flatMap(({ topics }) =>
    topics.slice(1).map((topic) => `0x${topic.slice(26)}`),
  );
  const held = new Map<Address, bigint>();
  for (const wallet of new Set(named.map(lower))) {
    const shares = await read(plain!, 'balanceOf', wallet);
    if (shares > 0n && !left.includes(wallet)) held.set(wallet, shares);
  }
  return held;
}

describeAnyEngine('custody', (open) => {
  test('default: an account that holds the queue is configured', async () => {
    const family = familyOf('erc7540', queued!, [silo!]);
    expect(await differences(await open(), family, await queuedPositions([silo!]))).toEqual({
      different: [],
      unchecked: [],
    });
  });

  test('behavior: a custody account that is neither found nor configured is missing', async () => {
    const family = familyOf('erc7540', queued!, []);
    const { different } = await differences(await open(), family, await queuedPositions([]));
    expect(different).toEqual([
      expect.stringMatching(
        /invariant 4 .*: 140000000 shares are pending, custody holds 0: an account .* is missing under custody$/,
      ),
    ]);
  });

  test('behavior: a wallet listed under custody is reported', async () => {
    const family = familyOf('erc7540', queued!, [silo!, dave!]);
    const without = await queuedPositions([silo!, dave!]);
    const { different } = await differences(await open(), family, without);
    expect(
      different.some((line) => line.includes(`${dave} is listed under custody and holds`)),
    ).toBe(true);
    const { different: withIt } = await differences(
      await open(),
      family,
      await queuedPositions([silo!]),
    );
    expect(withIt.some((line) => line.includes(`position of ${dave}, which is no`))).toBe(true);
  });

  test('behavior: shares in custody that belong to no wallet', async () => {
    const family = familyOf('erc7540', queued!, [silo!]);
    const positions = await queuedPositions([silo!]);
    positions.set(alice!, await read(queued!, 'balanceOf', alice));
    const { different } = await differences(await open(), family, positions);
    expect(different.map((line) => /invariant \d+/.exec(line)?.[0])).toEqual([
      'invariant 3',
      'invariant 2',
    ]);
  });

  test('behavior: a vault without a queue', async () => {
    const store = await open();
    const right = familyOf('erc4626', plain!, []);
    const clean = { different: [], unchecked: [] };
    expect(await differences(store, right, await plainPositions([]))).toEqual(clean);
    const wrong = familyOf('erc4626', plain!, [dave!]);
    const { different } = await differences(store, wrong, await plainPositions([dave!]));
    const text = `${dave} is listed under custody but is not a contract: it is a wallet`;
    expect(different.some((line) => line.endsWith(text))).toBe(true);
  });

  test('behavior: a contract with its own shares is not custody', async () => {
    await mine(alice!, encode('deposit', [10n * UNIT, shop]), plain);
    const family = familyOf('erc4626', plain!, [shop!]);
    const { different } = await differences(await open(), family, await plainPositions([shop!]));
    expect(different.some((line) => line.includes('shares that no wallet sent'))).toBe(true);
  });
});
