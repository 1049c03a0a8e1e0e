import { Value } from 'typebox/value';
import { createPublicClient, getAddress, http, parseAbi, parseAbiItem } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test/database.ts';
import { createFaultyRpc, type Fault, type FaultyRpc } from '../../../test/faultyRpc.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config } from '../../config/config.ts';
import { type Address, lower } from '../../domain/hex.ts';
import type { Store } from '../../store/store.ts';
import { BadParameters, NotFound } from '../problem.ts';
import { createLiveChains, type LiveChains } from './liveChains.ts';
import { pendingRedeemRoutes } from './pendingRedeems.ts';
import type { PendingRedeems, RedeemEntry } from './pendingRedeemsSchema.ts';
import { type Before, createQueuesBefore } from './queuedBefore.ts';

const [BASE, ARBITRUM] = [8453, 42161];
const ELSEWHERE: Address = '0x00000000000000000000000000000000000dead0';
const PATIENT_MS = 60_000;
const SHORT_MS = 6_000;
const REQUEST = parseAbiItem(
  'event RedeemRequest(address indexed receiver, address indexed owner, uint256 assets, uint256 shares, bool indexed instant)',
);
const ABI = parseAbi([
  'function asset() view returns (address)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function pendingRedeemRequest(address) view returns (uint256 assets, uint256 pendingShares)',
  'function convertToAssets(uint256) view returns (uint256)',
]);

/** The fields that the vault itself reports; its queue has no order. */
type Said = Omit<RedeemEntry, keyof Before>;

let served: ServedWorld;
let database: TestDatabase;
let store: Store;
/** In front of the second chain. */
let proxy: FaultyRpc;
let wallets: Address[];
/** What the chains report, by wallet. */
let expected: Map<Address, Said[]>;
const opened: LiveChains[] = [];

beforeAll(async () => {
  served = await serveWorld({ seed: 'redeems' });
  proxy = await createFaultyRpc({ target: served.urlOf(ARBITRUM) });
  database = await createDatabase('postgres');
  store = await database.open();
  const indexing = startIndexing(store, served.config());
  await indexing.until(liveAt(served.heads()));
  await indexing.stop();
  const { cast } = served.world.chain(BASE).scene;
  wallets = [...cast.named, ...cast.crowd].map(({ address }) => lower(address));
  expected = new Map();
  for (const wallet of wallets) expected.set(wallet, await readDirectly(wallet));
});
afterEach(async () => {
  for (const chains of opened.splice(0)) chains.close();
  await proxy.mode({ kind: 'none' });
});
afterAll(async () => {
  await proxy?.close();
  await database?.drop();
  await served?.close();
});

async function readDirectly(wallet: Address): Promise<Said[]> {
  const entries: Said[] = [];
  for (const { slug, address, chains } of served.config().families) {
    for (const { chainId } of chains) {
      const client = createPublicClient({ transport: http(served.urlOf(chainId)) });
      const at = { address, abi: ABI } as const;
      const functionName = 'pendingRedeemRequest';
      const [assets, shares] = await client.readContract({ ...at, functionName, args: [wallet] });
      if (shares === 0n) continue;
      const base = await client.readContract({ ...at, functionName: 'asset' });
      const worth = { functionName: 'convertToAssets', args: [shares] } as const;
      const asset = { address: base, abi: ABI } as const;
      entries.push({
        family: slug,
        chainId,
        vault: getAddress(address),
        shares: String(shares),
        requestedAssets: String(assets),
        currentAssets: String(await client.readContract({ ...at, ...worth })),
        shareDecimals: await client.readContract({ ...at, functionName: 'decimals' }),
        baseAsset: base,
        baseAssetDecimals: await client.readContract({ ...asset, functionName: 'decimals' }),
        baseAssetSymbol: await client.readContract({ ...asset, functionName: 'symbol' }),
      });
    }
  }
  return entries;
}

/** Opens the route on all chains, with the second chain behind the proxy. */
function open(edit: (config: Config) => Config = (config) => config, deadlineMs = PATIENT_MS) {
  const config = edit(served.config({ rpc: { [ARBITRUM]: [proxy.url] } }));
  const chains = createLiveChains(config, { deadlineMs });
  opened.push(chains);
  const [route] = pendingRedeemRoutes({ config, store, chains });
  const ask = (wallet: string, query: Record<string, string> = {}) =>
    route!.answer({
      path: { walletAddress: wallet },
      query: new Map(Object.entries(query).map(([name, value]) => [name, [value]])),
      now: 0,
    }) as Promise<PendingRedeems>;
  return { route: route!, ask };
}

/** Expects all rows of every wallet, except those that `keep` leaves out. */
async function expectRows(
  ask: (wallet: string) => Promise<PendingRedeems>,
  incompleteChains: readonly number[],
  keep: (entry: Said) => boolean = () => true,
) {
  let rows = 0;
  for (const [wallet, entries] of expected) {
    const redeems = entries.filter(keep);
    const answer = await ask(wallet);
    expect({ ...answer, redeems: answer.redeems.map(saidIn) }).toEqual({
      redeems,
      incompleteChains,
    });
    rows += redeems.length;
  }
  expect(rows).toBeGreaterThan(0);
}

function saidIn({
  assetsAhead,
  assetsAheadReason,
  assetsBefore,
  assetsBeforeReason,
  ...said
}: RedeemEntry): Said {
  return said;
}

/** Returns each receiver's last request from the vault's own logs, in order. */
async function lastRequests(chainId: number, address: Address) {
  const client = createPublicClient({ transport: http(served.urlOf(chainId)) });
  const logs = await client.getLogs({ address, event: REQUEST, fromBlock: 0n });
  const last = new Map<Address, { order: number; shares: bigint }>();
  for (const [order, { args }] of logs.entries()) {
    if (args.instant) continue;
    last.set(lower(args.receiver!), { order, shares: args.shares! });
  }
  return last;
}

describe('pending redeems', () => {
  test('default: the queue ahead of a request is every earlier unpaid request', async () => {
    const { ask } = open();
    const places = served
      .config()
      .families.flatMap(({ slug, address, chains }) =>
        chains.map(({ chainId }) => ({ slug, address, chainId })),
      );
    let behind = 0;
    for (const { slug, address, chainId } of places) {
      // Any wallet may be a receiver.
      const last = await lastRequests(chainId, address);
      const queue: { wallet: Address; entry: RedeemEntry }[] = [];
      for (const wallet of last.keys()) {
        const { redeems } = await ask(wallet, { family: slug });
        const entry = redeems.find((one) => one.chainId === chainId);
        if (entry !== undefined) queue.push({ wallet, entry });
      }
      const orderOf = (wallet: Address) => last.get(wallet)!.order;
      const hasOne = queue.every(
        ({ wallet, entry }) => `${last.get(wallet)!.shares}` === entry.shares,
      );
      for (const { wallet, entry } of queue) {
        const others = queue.filter((one) => one.wallet !== wallet);
        const sum = (list: typeof queue) =>
          list.reduce((total, one) => total + BigInt(one.entry.requestedAssets), 0n);
        const before = BigInt(entry.assetsAhead!);
        const least = sum(others.filter((one) => orderOf(one.wallet) < orderOf(wallet)));
        // Each partial payment of a request was rounded.
        const slack = BigInt(others.length);
        expect(before).toBeGreaterThanOrEqual(least - slack);
        expect(before).toBeLessThanOrEqual((hasOne ? least : sum(others)) + slack);
        if (before > 0n) behind += 1;
      }
    }
    expect(behind).toBeGreaterThan(0);
  });

  test('behavior: a queue that is not all indexed is unknown, not empty', async () => {
    const none = { ...store.reads, query: async () => [] } as unknown as Store['reads'];
    const queues = createQueuesBefore({
      config: served.config(),
      store: { ...store, reads: none },
    });
    const [wallet, [entry]] = [...expected].find(([, all]) => all.length > 0)!;
    expect(await queues.of(wallet, entry!)).toEqual({
      assetsAhead: null,
      assetsAheadReason: 'not-indexed',
      assetsBefore: null,
      assetsBeforeReason: 'not-indexed',
    });
    expect(await queues.of(wallet, { ...entry!, shares: '0' })).toEqual({
      assetsAhead: null,
      assetsAheadReason: 'claimable',
      assetsBefore: null,
      assetsBeforeReason: 'claimable',
    });
  });

  test('default: the amounts that the vaults on every chain report', async () => {
    await expectRows(open().ask, []);
    const chainIds = [...expected.values()].flat().map(({ chainId }) => chainId);
    expect(new Set(chainIds)).toEqual(new Set([BASE, ARBITRUM]));
  });

  test('behavior: a chain without a URL is listed and has no rows', async () => {
    const { ask } = open((config) => ({
      ...config,
      chains: config.chains.map((chain) =>
        chain.chainId === ARBITRUM ? { ...chain, rpcUrls: [] } : chain,
      ),
    }));
    await expectRows(ask, [ARBITRUM], ({ chainId }) => chainId === BASE);
  });

  test.each<Fault>([
    { kind: 'dead' },
    { kind: 'http500' },
    { kind: 'garbage', shape: 'truncated' },
  ])('behavior: a chain whose node is $kind removes no row of another', async (fault) => {
    await proxy.mode(fault);
    await expectRows(open().ask, [ARBITRUM], ({ chainId }) => chainId === BASE);
  });

  test('behavior: a chain that hangs ends at the deadline', async () => {
    await proxy.mode({ kind: 'hang' });
    const { ask } = open(undefined, SHORT_MS);
    const [wallet, entries] = [...expected].find(([, all]) => all.length > 0)!;
    // The response does not wait for the node, which still hangs.
    const answer = await ask(wallet);
    expect(answer.redeems.map(saidIn)).toEqual(entries.filter(({ chainId }) => chainId === BASE));
    expect(answer.incompleteChains).toEqual([ARBITRUM]);
  });

  test('behavior: one vault that does not respond keeps the rows of the others', async () => {
    const { ask } = open((config) => ({
      ...config,
      families: config.families.map((family) =>
        family.slug === 'svcusd-edge'
          ? { ...family, chains: family.chains.map((one) => ({ ...one, address: ELSEWHERE })) }
          : family,
      ),
    }));
    const incomplete = served.config().families.find(({ slug }) => slug === 'svcusd-edge')!.chains;
    const chainIds = incomplete.map(({ chainId }) => chainId).sort((a, b) => a - b);
    await expectRows(ask, chainIds, ({ family }) => family !== 'svcusd-edge');
  });

  test('behavior: a vault that was never read', async () => {
    const { ask } = open((config) => ({
      ...config,
      families: config.families.map((family) =>
        family.slug === 'svcusd-edge' ? { ...family, slug: 'svcusd-new' } : family,
      ),
    }));
    const { redeems, incompleteChains } = await ask(wallets[0]!, { family: 'svcusd-new' });
    expect(redeems).toEqual([]);
    expect(incompleteChains.length).toBeGreaterThan(0);
  });

  test('behavior: only the requested family, and only its chains', async () => {
    const { ask } = open((config) => ({
      ...config,
      families: config.families.map((family) => {
        const chains = family.chains.filter(({ chainId }) => chainId === BASE);
        return family.slug === 'svcusd' ? { ...family, chains } : family;
      }),
    }));
    await proxy.mode({ kind: 'dead' });
    const keep = ({ family, chainId }: Said) => family === 'svcusd' && chainId === BASE;
    await expectRows((wallet) => ask(wallet, { family: 'svcusd' }), [], keep);
  });

  test('behavior: a vault that pays at once has no queue to read', async () => {
    const { ask } = open((config) => ({
      ...config,
      families: config.families.map((family) => ({ ...family, adapter: 'erc4626' as const })),
    }));
    const nothing = { redeems: [], incompleteChains: [] };
    const before = calls();
    expect(await ask(wallets[0]!)).toEqual(nothing);
    // One call covers all vaults of a chain: whether they name a queue outside the vault.
    expect(calls()).toBe(before + 1);
    for (const wallet of wallets.slice(0, 3)) expect(await ask(wallet)).toEqual(nothing);
    expect(calls()).toBe(before + 1);
  });

  test('behavior: one multicall for all vaults of a chain, shared by identical requests', async () => {
    const { ask } = open();
    const idle = wallets.find((wallet) => expected.get(wallet)!.length === 0)!;
    await ask(idle);
    const before = calls();
    await Promise.all([ask(idle), ask(getAddress(idle)), ask(idle)]);
    expect(calls() - before).toBe(1);
  });

  test('behavior: responses match the schema', async () => {
    const { route, ask } = open();
    expect(Value.Check(route.response, route.responseExample)).toBe(true);
    for (const wallet of wallets)
      expect([...Value.Errors(route.response, await ask(wallet))]).toEqual([]);
  });

  test('error: an unknown family, and an invalid wallet', async () => {
    const { ask } = open();
    await expect(ask(wallets[0]!, { family: 'nothing' })).rejects.toThrow(NotFound);
    await expect(ask('0x12')).rejects.toThrow(BadParameters);
  });
});

/** Returns the number of contract calls to the second chain. */
function calls(): number {
  return proxy.requests.filter(({ method }) => method === 'eth_call').length;
}
