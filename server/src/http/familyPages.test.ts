import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../test/database.ts';
import type { Config, FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { families } from '../store/families/families.ts';
import type { Store } from '../store/store.ts';
import { vaults } from '../store/vaults/vaults.ts';
import { listen } from './listen.ts';
import { createServer } from './server.ts';
import { createStatusReader } from './status.ts';
import { listRoute } from './vault/list.ts';

const CHAINS = [1, 10, 8453];
const USDC: Address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';

/** Every third family is on two chains, every fifth has USDC as its asset. */
function familyOf(number: number): FamilyConfig {
  const address: Address = `0x${(number + 1).toString(16).padStart(40, '0')}`;
  const chainIds = number % 3 === 0 ? [CHAINS[number % 2]!, 8453] : [CHAINS[number % 3]!];
  const asset = number % 5 === 0 ? { asset: USDC } : {};
  return {
    slug: `family-${number}`,
    name: `Family ${number}`,
    address,
    adapter: 'erc4626',
    feederOf: null,
    bindingDeclarationAddress: address,
    baseAsset: { marketDataId: 'base' },
    shareAsset: { marketDataId: 'share' },
    priceFeed: null,
    chains: chainIds.map((chainId) => ({
      chainId,
      role: 'settlement',
      address,
      vaults: [],
      startBlock: 0,
      routers: [],
      custody: [],
      ...asset,
    })),
    pools: [],
  };
}

function configOf(count: number): Config {
  return {
    http: {},
    families: Array.from({ length: count }, (_, number) => familyOf(number)),
    chains: CHAINS.map((chainId) => ({
      chainId,
      name: `c${chainId}`,
      rpcUrls: [],
      pollSeconds: 2,
    })),
    prices: {
      maxAgeSeconds: 60,
      feeds: [{ name: 'usdc-usd', kind: 'aggregator', chainId: 1, address: USDC, startBlock: 0 }],
    },
  } as unknown as Config;
}

const MANY = 1_203;
const allSlugs = configOf(MANY).families.map(({ slug }) => slug);

interface Listed {
  readonly slug: string;
}
interface Status {
  readonly chains: readonly {
    readonly chainId: number;
    readonly families: readonly { readonly family: string }[];
    readonly feeds: readonly unknown[];
  }[];
}

describeAnyEngine('familyPages', (open) => {
  const apps: FastifyInstance[] = [];
  let store: Store;
  let many: string;
  let few: string;

  beforeAll(async () => {
    store = await open();
    const [first] = await families.register(store, allSlugs);
    await vaults.upsert(store, [
      {
        familyId: first!.familyId,
        chainId: 1,
        address: '0x01',
        authority: null,
        asset: USDC,
        assetSymbol: 'USDC',
        assetName: 'USD Coin',
        assetDecimals: 6,
        share: '0x01',
        shareSymbol: 'S',
        shareName: 'S',
        shareDecimals: 6,
      },
    ]);
    many = await serve(configOf(MANY));
    few = await serve(configOf(500));
  });
  afterAll(() => Promise.all(apps.map((app) => app.close())));

  async function serve(config: Config, publicUrl?: string): Promise<string> {
    const cursorKey = '0x07';
    const own = publicUrl === undefined ? config : { ...config, http: { publicUrl } };
    const app = createServer({
      version: '0.1.0',
      getChainStatuses: createStatusReader({ store, config, now: () => 1_800_000_000 }),
      cursorKey,
      routes: [listRoute({ config: own as Config, store, cursorKey })],
      onError: (error) => expect.unreachable(String(error)),
      ...(publicUrl !== undefined && { http: own.http as Config['http'] }),
    });
    apps.push(app);
    const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    return `http://127.0.0.1:${port}`;
  }

  async function walk<Body>(base: string, path: string): Promise<Body[]> {
    const bodies: Body[] = [];
    let next: string | null = path;
    while (next !== null) {
      const response: Response = await fetch(new URL(next, base));
      expect(response.status).toBe(200);
      bodies.push((await response.json()) as Body);
      next = nextOf(response);
    }
    return bodies;
  }

  function nextOf(response: Response): string | null {
    const link = response.headers.get('link');
    if (link === null) return null;
    const [, url] = /^<(\/[^>]*)>; rel="next"$/.exec(link) ?? [];
    return url ?? expect.unreachable(`a Link of another form: ${link}`);
  }

  test('default: one request returns up to 500 families, the same as without pages', async () => {
    for (const path of ['/v1/vaults', '/v1/status']) {
      expect((await fetch(few + path)).headers.get('link')).toBeNull();
    }
    const [list] = await walk<Listed[]>(few, '/v1/vaults');
    expect(list!.map(({ slug }) => slug)).toEqual(allSlugs.slice(0, 500));
    const whole = await (await fetch(`${few}/v1/status`)).text();
    expect(await (await fetch(`${few}/v1/status?limit=500`)).text()).toBe(whole);
  });

  test.each(['', '?limit=500', '?limit=499', '?limit=401', '?limit=7'])(
    'behavior: the pages of /v1/vaults%s have every family once, in order',
    async (query) => {
      const pages = await walk<Listed[]>(many, `/v1/vaults${query}`);
      const limit = Number(query.split('=')[1] ?? 500);
      expect(pages.map(({ length }) => length)).toEqual(
        Array.from({ length: Math.ceil(MANY / limit) }, (_, i) =>
          Math.min(limit, MANY - i * limit),
        ),
      );
      expect(pages.flat().map(({ slug }) => slug)).toEqual(allSlugs);
    },
  );

  test('behavior: filters go with the pages', async () => {
    const onTen = await walk<Listed[]>(many, '/v1/vaults?limit=100&chainId=10');
    const wanted = configOf(MANY).families.filter(({ chains }) =>
      chains.some(({ chainId }) => chainId === 10),
    );
    expect(onTen.length).toBeGreaterThan(3);
    expect(onTen.flat().map(({ slug }) => slug)).toEqual(wanted.map(({ slug }) => slug));
    const ofUsdc = await walk<Listed[]>(many, `/v1/vaults?baseAsset=${USDC}&limit=50`);
    expect(ofUsdc.length).toBe(5);
    expect(ofUsdc.flat().map(({ slug }) => slug)).toEqual(
      allSlugs.filter((_, number) => number % 5 === 0),
    );
  });

  test.each(['', '?limit=250'])(
    'behavior: every page of /v1/status%s has all chains and feeds, and each family is on one page',
    async (query) => {
      const pages = await walk<Status>(many, `/v1/status${query}`);
      const limit = Number(query.split('=')[1] ?? 500);
      expect(pages.length).toBe(Math.ceil(MANY / limit));
      const seen = new Set<string>();
      for (const { chains } of pages) {
        expect(chains.map(({ chainId }) => chainId)).toEqual(CHAINS);
        expect(chains.map(({ feeds }) => feeds.length)).toEqual([1, 0, 0]);
        const own = new Set(chains.flatMap((chain) => chain.families.map(({ family }) => family)));
        expect(own.size).toBeLessThanOrEqual(limit);
        for (const slug of own) {
          expect(seen).not.toContain(slug);
          seen.add(slug);
        }
      }
      expect(seen.size).toBe(MANY);
      for (const [i, chainId] of CHAINS.entries()) {
        const listed = pages.flatMap(({ chains }) => chains[i]!.families);
        const wanted = configOf(MANY).families.filter(({ chains }) =>
          chains.some((chain) => chain.chainId === chainId),
        );
        expect(new Set(listed.map(({ family }) => family))).toEqual(
          new Set(wanted.map(({ slug }) => slug)),
        );
        expect(listed.length).toBe(wanted.length);
      }
    },
  );

  test('behavior: a page has its own ETag, and a 304 names the next page too', async () => {
    const first = await fetch(`${many}/v1/vaults?limit=2`);
    const second = await fetch(new URL(nextOf(first)!, many));
    const tags = [first, second].map(({ headers }) => headers.get('etag')!);
    expect(new Set(tags).size).toBe(2);
    for (const [i, response] of [first, second].entries()) {
      const again = await fetch(response.url, { headers: { 'if-none-match': tags[i]! } });
      expect(again.status).toBe(304);
      expect(again.headers.get('link')).toBe(response.headers.get('link'));
      const other = await fetch(response.url, { headers: { 'if-none-match': tags[1 - i]! } });
      expect(other.status).toBe(200);
    }
    const head = await fetch(`${many}/v1/vaults?limit=2`, { method: 'HEAD' });
    expect(head.headers.get('link')).toBe(first.headers.get('link'));
  });

  test('behavior: a proxy may put a path before it', async () => {
    const prefixed = await serve(configOf(3), 'https://example.com/assay');
    for (const path of ['/v1/vaults', '/v1/status']) {
      const response = await fetch(`${prefixed}${path}?limit=2`);
      expect(nextOf(response)).toMatch(new RegExp(`^/assay${path}\\?limit=2&cursor=`));
    }
  });

  test('error: a limit or a cursor that cannot be used', async () => {
    const cursor = new URL(nextOf(await fetch(`${many}/v1/vaults?limit=2`))!, many).searchParams;
    const given = cursor.get('cursor')!;
    const last = given.endsWith('A') ? 'B' : 'A';
    for (const [query, parameter] of [
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=ten', 'limit'],
      ['limit=', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['cursor=', 'cursor'],
      ['cursor=nonsense', 'cursor'],
      [`cursor=${given.slice(0, -1)}${last}`, 'cursor'],
      [`cursor=${given}&chainId=10`, 'cursor'],
    ]) {
      const response = await fetch(`${many}/v1/vaults?${query}`);
      expect(response.status, query).toBe(400);
      expect(await response.json()).toMatchObject({ errors: [{ parameter }] });
    }
    for (const query of ['limit=0', `cursor=${given}`]) {
      expect((await fetch(`${many}/v1/status?${query}`)).status, query).toBe(400);
    }
    // This server no longer serves the cursor's family.
    const late = new URL(nextOf(await fetch(`${many}/v1/status?limit=500`))!, many);
    expect((await fetch(many + late.pathname + late.search)).status).toBe(200);
    const other = await serve(configOf(1));
    expect((await fetch(other + late.pathname + late.search)).status).toBe(400);
  });
});
