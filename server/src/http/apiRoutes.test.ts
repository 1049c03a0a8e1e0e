import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCheckedFetch } from '../../test/answers.ts';
import { describeAnyEngine } from '../../test/database.ts';
import { liveAt, startIndexing } from '../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import type { Config } from '../config/config.ts';
import { apiRoutes } from './apiRoutes.ts';
import { FAMILY_CHANNEL, type FamilyChanges, listenForFamilies } from './familyChanges.ts';
import { closeServer, listen } from './listen.ts';
import { createServer } from './server.ts';
import { createLiveChains, type LiveChains } from './vault/liveChains.ts';

let served: ServedWorld;
let config: Config;
beforeAll(async () => {
  served = await serveWorld({ seed: 'api' });
  const read = served.config({
    edit(file) {
      file.chains.push({ ...file.chains[0]!, id: 10, name: 'optimism', rpc: [] });
      const [family] = file.families;
      family!.chains.push({ ...family!.chains[0]!, chain: 10, role: 'execution' });
    },
  });
  config = { ...read, embed: { frameAncestors: ['https://example.com'] } };
});
afterAll(() => served?.close());

describeAnyEngine('apiRoutes', (open) => {
  let app: ReturnType<typeof createServer>;
  let changes: FamilyChanges;
  let chains: LiveChains;
  /** Checks every response against openapi.json. */
  let ask: ReturnType<typeof createCheckedFetch>;
  const errors: unknown[] = [];

  beforeAll(async () => {
    const store = await open();
    changes = await listenForFamilies(store);
    chains = createLiveChains(config);
    const routes = apiRoutes({ config, store, chains, cursorKey: '0x07' });
    app = createServer({
      version: '1',
      getChainStatuses: async () => [],
      onError: (error) => errors.push(error),
      routes,
      onFamilyChange: changes.onChange,
      http: config.http,
    });
    const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    ask = createCheckedFetch(`http://127.0.0.1:${port}`);
    // Nothing is indexed yet.
    expect((await ask('/v1/vaults/svcusd')).response.status).toBe(503);
    expect((await ask('/v1/vaults/svcusd/timeseries/apy')).text).toBe('[]');
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    for (const { slug } of config.families) await notify(slug);
  });
  afterAll(async () => {
    await changes?.stop();
    chains?.close();
    if (app) await closeServer(app, 1_000);
  });

  /** Notifies as the indexer does, and waits for delivery. */
  async function notify(slug: string): Promise<void> {
    const delivered = new Promise<void>((resolve) => {
      changes.onChange((changed) => changed === slug && resolve());
    });
    const text = 'select pg_notify($1, $2)';
    await (await open()).query({ name: 'test_notify_api', text }, [FAMILY_CHANNEL, slug]);
    await delivered;
  }

  async function okay(url: string): Promise<unknown> {
    const { response, text } = await ask(url);
    expect(response.status, `${url}: ${text}`).toBe(200);
    return JSON.parse(text);
  }

  test('default: every response matches the document', async () => {
    const wallets = served.world.wallets.slice(0, 3).map(({ address }) => address);
    await okay('/v1/vaults');
    await okay('/v1/status');
    for (const { slug } of config.families) {
      await okay(`/v1/vaults/${slug}`);
      for (const name of ['apy', 'tvl', 'share-price']) {
        for (const interval of ['raw', 'hour', 'day']) {
          const url = `/v1/vaults/${slug}/timeseries/${name}?interval=${interval}&limit=5000`;
          expect(await okay(url), url).not.toEqual([]);
        }
      }
      await okay(`/v1/history?family=${slug}&type=large-deposit`);
    }
    for (const wallet of wallets) {
      await okay(`/v1/history?user=${wallet}&period=30d&limit=500`);
      await okay(`/v1/users/${wallet}/pending-redeems`);
      await okay(`/v1/users/${wallet}/pending-deposits`);
      await okay(`/v1/performance/${wallet.toLowerCase()}`);
    }
  });

  test('default: the widget of each family shows the values of its snapshot', async () => {
    const { port } = app.server.address() as AddressInfo;
    for (const { slug } of config.families) {
      const { stats } = (await okay(`/v1/vaults/${slug}`)) as { stats: { updatedAt: string } };
      for (const metric of ['tvl', 'apy', 'price']) {
        const url = `http://127.0.0.1:${port}/embed/family/${slug}?metric=${metric}`;
        const page = await (await fetch(url)).text();
        expect(page, url).toContain(`<time datetime="${stats.updatedAt}">`);
        expect(page, url).toMatch(/<dt>TVL<\/dt><dd>[\d,.]+ \S+<\/dd>/);
      }
    }
  });

  test('behavior: pages contain each item once, and end', async () => {
    type Page = { items: unknown[]; nextCursor: string | null };
    const all = (await okay('/v1/history?limit=500')) as Page;
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = (await okay(`/v1/history?limit=7${query}`)) as Page;
      seen.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null && seen.length < 500);
    expect(seen.slice(0, 500)).toEqual(all.items.slice(0, seen.length));
    expect(all.items.length).toBeGreaterThan(20);
  });

  test('behavior: cached until its family changes', async () => {
    const url = '/v1/vaults/svcusd/timeseries/tvl?interval=raw';
    const first = await ask(url);
    const text =
      "update tick set tvl = tvl + 1 where family_id = (select family_id from family where slug = 'svcusd')";
    await (await open()).query({ name: 'test_change_api', text });
    const known = { 'if-none-match': first.response.headers.get('etag')! };
    expect((await ask(url, { headers: known })).response.status).toBe(304);
    await notify('svcusd');
    const second = await ask(url, { headers: known });
    expect(second.response.status).toBe(200);
    expect(second.text).not.toBe(first.text);
  });

  test('error: every route has one wording for a family that does not exist', async () => {
    const routes = apiRoutes({ config, store: await open(), chains, cursorKey: '0x07' });
    const wallet = `0x${'1'.padStart(40, '0')}`;
    const urls = routes
      .filter(({ tag }) => tag !== 'previous')
      .flatMap(({ path, parameters }) => {
        const filled = path.replace('{walletAddress}', wallet);
        if (path.includes('{slug}')) return [filled.replace('{slug}', 'none')];
        const isOfFamily = parameters.some(({ name }) => name === 'family');
        return isOfFamily ? [`${filled}?family=none`] : [];
      });
    expect(urls.length).toBeGreaterThanOrEqual(9);
    for (const url of urls) {
      const { response, text } = await ask(url);
      expect([url, response.status]).toEqual([url, 404]);
      expect(JSON.parse(text).detail, url).toBe(
        'there is no such vault family; /v1/vaults lists them',
      );
    }
    const { text } = await ask('/v1/nothing');
    expect(JSON.parse(text).detail).toBe('there is no such route; /docs lists them');
  });

  test.each([
    ['/v1/vaults/none', 404],
    ['/v1/vaults/none/timeseries/apy', 404],
    ['/v1/history?family=none', 404],
    ['/v1/performance/0x0000000000000000000000000000000000000001?family=none', 404],
    ['/v1/vaults/svcusd/timeseries/apy?limit=0', 400],
    ['/v1/vaults/svcusd/timeseries/apy?limit=5001', 400],
    ['/v1/vaults/svcusd/timeseries/tvl?limit=1.5', 400],
    ['/v1/vaults/svcusd/timeseries/tvl?from=2026-02-30', 400],
    ['/v1/vaults/svcusd/timeseries/tvl?from=2026-02-02T00:00:00', 400],
    ['/v1/vaults/svcusd/timeseries/tvl?from=2026-02-02&to=2026-02-01', 400],
    ['/v1/vaults/svcusd/timeseries/tvl?interval=week', 400],
    ['/v1/history?limit=501', 400],
    ['/v1/history?limit=1&limit=2', 400],
    ['/v1/history?cursor=abc', 400],
    ['/v1/history?type=large-deposit', 400],
    ['/v1/history?user=0x12', 400],
    ['/v1/history?period=', 400],
    ['/v1/performance/0x833589fCD6eDb6E08f4c7C32D4f71b54bdA0291', 400],
    ['/v1/performance/0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913', 400],
    ['/v1/users/%00/pending-redeems', 400],
    ['/v1/users/%00/pending-deposits', 400],
  ])('error: %s is %i', async (url, status) => {
    expect((await ask(url)).response.status).toBe(status);
  });

  test('error: none of these requests caused a server error', () => expect(errors).toEqual([]));
});
