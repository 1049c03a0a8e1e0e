import { formatUnits, getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCheckedFetch } from '../../../../test/answers.ts';
import { createDatabase, type TestDatabase } from '../../../../test/database.ts';
import { liveAt, startIndexing } from '../../../../test/indexing.ts';
import { publishedClient as yo } from '../../../../test/publishedClient.ts';
import { type ServedWorld, serveWorld } from '../../../../test/world.ts';
import type { Config } from '../../../config/config.ts';
import { type Store, statement } from '../../../store/store.ts';
import { apiRoutes } from '../../apiRoutes.ts';
import { closeServer, listen } from '../../listen.ts';
import type { OpenApi } from '../../openapiDocument.ts';
import { createServer } from '../../server.ts';
import { createLiveChains, type LiveChains } from '../../vault/liveChains.ts';

const UNTIL = Date.parse('2027-03-31T23:59:59Z') / 1000;
const OTHER_CLIENT = '0x00000000000000000000000000000000000000aa';
/** As for a vault whose requests name only shares, before its first price. */
const hideAssets = statement(
  'test.bridge.hideAssets',
  'update history set assets = null where type = 3 and block_number % 3 = 0',
);
const cancelSome = statement(
  'test.bridge.cancelSome',
  'update history set type = 4 where type = 3 and block_number % 3 = 1',
);

let served: ServedWorld;
let database: TestDatabase;
let store: Store;
let chains: LiveChains;
let config: Config;
let clock: number;
/** The URL of a server with the legacy API, and of one without it. */
let [url, goneUrl] = ['', ''];
/** Checks every response against the server's own document. */
let ask: ReturnType<typeof createCheckedFetch>;
let client: unknown;
const servers: ReturnType<typeof createServer>[] = [];
const errors: unknown[] = [];

async function serve(served: Config): Promise<string> {
  const app = createServer({
    version: '1',
    getChainStatuses: async () => [],
    onError: (error) => errors.push(error),
    routes: apiRoutes({ config: served, store, chains, cursorKey: '0x07' }),
    now: () => clock,
  });
  servers.push(app);
  return `http://127.0.0.1:${await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' })}`;
}

beforeAll(async () => {
  served = await serveWorld({ seed: 'bridge' });
  clock = Math.max(...served.world.chains.map(({ chain }) => chain.tip.time));
  const withUnread = (legacyApi: object) =>
    served.config({
      edit(file) {
        Object.assign(file, legacyApi);
        file.chains.push({ ...file.chains[0]!, id: 130, name: 'unichain', rpc: [] });
        const [first] = file.families;
        first!.chains.push({ ...first!.chains[0]!, chain: 130, role: 'execution' });
      },
    });
  config = withUnread({ legacyApi: { until: '2027-03-31' } });
  database = await createDatabase('postgres');
  store = await database.open();
  chains = createLiveChains(config);
  url = await serve(config);
  goneUrl = await serve(withUnread({}));
  ask = createCheckedFetch(url, await today<OpenApi>('/openapi.json'));
  client = yo.createApiClient({ baseUrl: url });
  // Nothing is indexed yet.
  expect((await ask(`/api/v1/vault/base/${deployments()[0]!.vault}`)).response.status).toBe(503);
  const indexing = startIndexing(store, config);
  await indexing.until(liveAt(served.heads()));
  await indexing.stop();
  await store.query(hideAssets);
  await store.query(cancelSome);
}, 120_000);

afterAll(async () => {
  chains?.close();
  for (const server of servers) await closeServer(server, 1_000);
  await database?.drop();
  await served?.close();
});

/** Reads a response of the current API. */
async function today<T>(path: string): Promise<T> {
  const response = await fetch(url + path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

/** Returns every vault on every indexed network. */
function deployments() {
  return config.families.flatMap(({ slug, chains: deployments }) =>
    deployments
      .filter(({ chainId }) => chainId !== 130)
      .map(({ chainId, address }) => ({
        slug,
        chainId,
        network: yo.CHAIN_ID_TO_NETWORK[chainId]!,
        vault: getAddress(address),
      })),
  );
}

function wallets() {
  return served.world.wallets.map(({ address }) => address);
}

function value(raw: string, decimals: number) {
  return { raw, formatted: formatUnits(BigInt(raw), decimals) };
}

/** The client divides by 100, which can lose the last bit. */
function expectRate(text: string | null, fraction: number | null): void {
  expect(text === null).toBe(fraction === null);
  if (text === null || fraction === null) return;
  expect(text).toMatch(/^-?\d+(\.\d+)?$/);
  expect(Math.abs(Number(text) / 100 - fraction)).toBeLessThanOrEqual(Math.abs(fraction) * 4e-16);
}

interface Pool {
  readonly name: string;
  readonly protocolName: string;
  readonly value: string;
  readonly allocationBps: number;
  readonly apy7d: number | null;
}
interface Snapshot {
  readonly name: string;
  readonly authority: string;
  readonly assets: {
    readonly base: Record<string, string>;
    readonly share: Record<string, string>;
  };
  readonly chains: readonly ({ readonly chainId: number } & Pick<Snapshot, 'assets'>)[];
  readonly stats: Readonly<Record<string, string>> & {
    readonly apy1d: number | null;
    readonly apy7d: number | null;
    readonly apy30d: number | null;
    readonly rewardApr: number;
    readonly baseAssetDecimals: number;
    readonly shareDecimals: number;
    readonly chains: readonly { readonly chainId: number; readonly idle: string }[];
    readonly pools: readonly Pool[];
  };
}

describe('the published client of the legacy API', () => {
  test('default: snapshots', async () => {
    for (const { slug, chainId, network, vault } of deployments()) {
      const old = await yo.getVaultSnapshot(client, network, vault);
      const { stats, ...now } = await today<Snapshot>(`/v1/vaults/${slug}`);
      const inBase = (raw: string) => value(raw, stats.baseAssetDecimals);
      const { assets } = now.chains.find((one) => one.chainId === chainId)!;
      expect(old).toMatchObject({
        id: slug,
        name: now.name,
        asset: {
          address: assets.base.address,
          symbol: 'USDC',
          decimals: 6,
          coingeckoId: 'usd-coin',
        },
        shareAsset: { address: assets.share.address, symbol: assets.share.symbol },
        chain: { id: chainId, name: network },
        contracts: { vaultAddress: vault, authorityAddress: now.authority },
        lastUpdated: Date.parse(stats.updatedAt!) / 1000,
      });
      expect(old.stats).toMatchObject({
        tvl: inBase(stats.tvl!),
        totalSupply: value(stats.totalShares!, stats.shareDecimals),
        sharePrice: inBase(stats.assetsPerShare!),
        idleBalance: inBase(stats.idle!),
        investedBalance: inBase(stats.invested!),
        idleBalances: stats.chains.map((one) => ({
          network: one.chainId === 8453 ? 'base' : 'arbitrum',
          ...inBase(one.idle),
        })),
        protocolStats: stats.pools.map((pool) => ({
          pool: pool.name,
          protocol: pool.protocolName,
          balance: inBase(pool.value),
          allocation: value(`${pool.allocationBps}`, 2),
        })),
      });
      expect(stats.pools.length).toBeGreaterThan(1);
      expectRate(old.stats.yield['1d'], stats.apy1d);
      expectRate(old.stats.yield['7d'], stats.apy7d);
      expectRate(old.stats.yield['30d'], stats.apy30d);
      expectRate(old.stats.rewardYield, stats.rewardApr);
      for (const [i, pool] of stats.pools.entries()) {
        expectRate(old.stats.protocolStats[i]!.yield['7d'], pool.apy7d);
      }
    }
  });

  test('default: time series', async () => {
    for (const { slug, network, vault } of deployments()) {
      type Tick<T> = { readonly at: string; readonly value: T; readonly usd: number | null };
      const series = `/v1/vaults/${slug}/timeseries`;
      const yields = await yo.getVaultYieldTimeseries(client, network, vault);
      const apy = await today<Tick<number>[]>(`${series}/apy`);
      expect(yields.map(({ timestamp }) => timestamp)).toEqual(apy.map(secondsOf));
      for (const [i, { value: rate }] of apy.entries()) {
        expectRate(`${(yields[i]!.value * 100).toFixed(15)}`, rate);
      }
      const tvls = await yo.getVaultTvlTimeseries(client, network, vault);
      const tvl = await today<Tick<string>[]>(`${series}/tvl`);
      expect(tvls).toEqual(
        tvl.map((tick) => ({
          timestamp: secondsOf(tick),
          value: Number(formatUnits(BigInt(tick.value), 6)),
        })),
      );
      expect(tvl.length).toBeGreaterThan(2);
      const { text } = await ask(`/api/v1/vault/tvl/timeseries/${network}/${vault}`);
      const ticks = JSON.parse(text).data as { tvlUsd?: string }[];
      expect(ticks.map(({ tvlUsd }) => Number(tvlUsd))).toEqual(tvl.map(({ usd }) => usd));
    }
    function secondsOf({ at }: { readonly at: string }) {
      return Date.parse(at) / 1000;
    }
  });

  test('default: pending redemptions', async () => {
    interface Redeem {
      readonly chainId: number;
      readonly shares: string;
      readonly requestedAssets: string;
    }
    let waiting = 0;
    for (const { slug, chainId, network, vault } of deployments()) {
      const { stats } = await today<Snapshot>(`/v1/vaults/${slug}`);
      expect(await yo.getVaultPendingRedeems(client, network, vault)).toEqual({
        assets: value(stats.pendingRedemptionAssets!, 6),
      });
      for (const wallet of wallets()) {
        const path = `/v1/users/${wallet}/pending-redeems?family=${slug}`;
        const { redeems } = await today<{ redeems: Redeem[] }>(path);
        const own = redeems.find((one) => one.chainId === chainId);
        expect(await yo.getUserPendingRedemptions(client, network, vault, wallet)).toEqual({
          assets: value(own?.requestedAssets ?? '0', 6),
          shares: value(own?.shares ?? '0', 6),
        });
        if (own !== undefined) waiting++;
      }
    }
    expect(waiting).toBeGreaterThan(0);
  });

  test('default: history', async () => {
    interface Item {
      readonly type: string;
      readonly blockTimestamp: number;
      readonly assets: string | null;
      readonly shares: string;
      readonly transactionHash: string;
    }
    const types = new Set<string>();
    for (const { slug, chainId, network, vault } of deployments()) {
      for (const wallet of wallets()) {
        const path = `/v1/history?family=${slug}&user=${wallet}&chainId=${chainId}&limit=500`;
        const { items } = await today<{ items: Item[] }>(path);
        for (const { type, assets } of items) types.add(assets === null ? 'unknown' : type);
        const shown = items.filter(({ type, assets }) => type !== 'cancel' && assets !== null);
        const expected = shown.map((item) => ({
          type: item.type,
          timestamp: item.blockTimestamp,
          assets: value(item.assets!, 6),
          shares: value(item.shares, 6),
          txHash: item.transactionHash,
        }));
        const history = (limit?: number) =>
          yo.getUserTransactionHistory(client, network, vault, wallet, limit);
        expect(await history()).toEqual(expected);
        // Items that do not fit the legacy format do not count towards the limit either.
        expect(await history(2)).toEqual(expected.slice(0, 2));
        expect(await history(100_000)).toEqual(expected);
      }
    }
    expect([...types].sort()).toEqual(['cancel', 'deposit', 'redeem', 'unknown', 'withdraw']);
  });

  test('default: performance, and no points', async () => {
    interface Entry {
      readonly realized: string;
      readonly unrealized: string;
    }
    let held = 0;
    for (const { slug, network, vault } of deployments()) {
      for (const wallet of [...wallets(), getAddress(OTHER_CLIENT)]) {
        const path = `/v1/performance/${wallet}?family=${slug}`;
        const [own] = (await today<{ families: Entry[] }>(path)).families;
        expect(await yo.getUserPerformance(client, network, vault, wallet)).toEqual({
          realized: value(own?.realized ?? '0', 6),
          unrealized: value(own?.unrealized ?? '0', 6),
        });
        if (own !== undefined) held++;
        expect(await yo.getUserPoints(client, wallet)).toBeNull();
      }
    }
    expect(held).toBeGreaterThan(wallets().length);
  });
});

describe('bridgedRoute', () => {
  const paths = () => {
    const { vault } = deployments()[0]!;
    const [wallet] = wallets();
    return {
      [`vault/base/${vault}`]: '/v1/vaults/svcusd',
      [`vault/yield/timeseries/base/${vault}`]: '/v1/vaults/svcusd/timeseries/apy',
      [`vault/tvl/timeseries/base/${vault}`]: '/v1/vaults/svcusd/timeseries/tvl',
      [`vault/pending-redeems/base/${vault}`]: null,
      [`vault/pending-redeems/base/${vault}/${wallet}`]: `/v1/users/${wallet}/pending-redeems?family=svcusd`,
      [`history/user/base/${vault}/${wallet}`]: `/v1/history?family=svcusd&user=${wallet}&chainId=8453`,
      [`performance/user/base/${vault}/${wallet}`]: `/v1/performance/${wallet}?family=svcusd`,
    };
  };

  test('default: matches its document, with its end date and its successor', async () => {
    for (const [path, successor] of Object.entries(paths())) {
      const { response, text } = await ask(`/api/v1/${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      expect(JSON.parse(text).statusCode).toBe(200);
      const { headers } = response;
      const link = successor === null ? null : `<${successor}>; rel="successor-version"`;
      expect(headers.get('link')).toBe(link);
      expect(headers.get('sunset')).toBe('Wed, 31 Mar 2027 23:59:59 GMT');
      expect(headers.get('deprecation')).toBe('@1790812799');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('Sunset');
    }
  });

  test("behavior: a page of another origin may send the client's requests, also for points", async () => {
    for (const path of [...Object.keys(paths()), `users/wallet/${wallets()[0]}/points`]) {
      const headers = {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'content-type',
      };
      const preflight = await fetch(`${url}/api/v1/${path}`, { method: 'OPTIONS', headers });
      expect([path, preflight.status]).toEqual([path, 204]);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
      const answer = await fetch(`${url}/api/v1/${path}`);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('behavior: served until the last second of its end date, then 410, as without the key', async () => {
    const before = clock;
    const own = await serve(config);
    try {
      for (const path of Object.keys(paths())) {
        clock = UNTIL - 20;
        expect((await fetch(`${own}/api/v1/${path}`)).status).toBe(200);
        clock = UNTIL;
        expect((await fetch(`${own}/api/v1/${path}`)).status).toBe(200);
        clock = UNTIL + 1;
        const over = await fetch(`${own}/api/v1/${path}`);
        const gone = await fetch(`${goneUrl}/api/v1/${path}`);
        expect([path, over.status, gone.status]).toEqual([path, 410, 410]);
        expect(await over.text()).toBe(await gone.text());
        expect(headersOf(over)).toEqual(headersOf(gone));
      }
    } finally {
      clock = before;
    }
  });

  test('behavior: any case of the vault, the chain by its id, and 304', async () => {
    const { vault } = deployments()[0]!;
    const { response, text } = await ask(`/api/v1/vault/base/${vault}`);
    const other = await ask(`/api/v1/vault/8453/${vault.toLowerCase()}`);
    expect(other.text).toBe(text);
    const known = { 'if-none-match': response.headers.get('etag')! };
    const again = await ask(`/api/v1/vault/base/${vault}`, { headers: known });
    expect(again.response.status).toBe(304);
    expect(again.response.headers.get('sunset')).not.toBeNull();
  });

  test.each([
    ['vault/nowhere/VAULT', 404],
    [`vault/base/${OTHER_CLIENT}`, 404],
    ['vault/ethereum/VAULT', 404],
    ['performance/user/base/VAULT/0x12', 400],
    ['history/user/base/VAULT/0xd8dA6BF26964aF9D7eEd9e03E53415D37aA9604A', 400],
    ['history/user/base/VAULT/WALLET?limit=0', 400],
    ['history/user/base/VAULT/WALLET?limit=ten', 400],
    // A network that was never read returns an error, not an empty result.
    ['vault/unichain/VAULT', 503],
    ['vault/pending-redeems/unichain/VAULT/WALLET', 503],
    ['users/wallet/WALLET/points', 404],
  ])('error: %s is %i', async (path, status) => {
    const { vault } = deployments()[0]!;
    const asked = path.replace('VAULT', vault).replace('WALLET', wallets()[0]!);
    expect((await ask(`/api/v1/${asked}`)).response.status).toBe(status);
  });

  test('error: none of these requests caused a server error', () => expect(errors).toEqual([]));
});

function headersOf({ headers }: Response) {
  return [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id').sort();
}
