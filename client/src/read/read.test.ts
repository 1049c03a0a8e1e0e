import { afterEach, describe, expect, expectTypeOf, test } from 'vitest';
import {
  type Answering,
  type LocalServer,
  sendBomb,
  sendJson,
  startLocalServer,
} from '../../test/localServer.ts';
import type { HistoryItem, ListedVault, Status, TvlTick, Vault } from '../api/types.ts';
import { isAssayError } from '../wire/errors.ts';
import { getHistory, getTvlSeries, getVault, listVaults } from './actions.ts';
import { type Client, type ClientOptions, createClient } from './client.ts';
import { historyItems, historyPages } from './history.ts';
import { getVaultsPage, getWholeStatus, listAllVaults, vaultPages } from './pages.ts';

const servers: LocalServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function clientOf(
  answer: Answering,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; server: LocalServer }> {
  const server = await startLocalServer(answer);
  servers.push(server);
  return { server, client: createClient({ url: server.url, ...options }) };
}

const problem = (status: number, members: object = {}) => ({
  type: 'about:blank',
  title: 'Problem',
  status,
  ...members,
});

describe('actions', () => {
  test('default: path, query, and response', async () => {
    const ticks = [{ at: '2026-01-01T00:00:00.000Z', value: '12', usd: null }];
    const { client, server } = await clientOf((_, response) => sendJson(response, ticks));
    const found = await getTvlSeries(client, { slug: 'a/b', from: '2026-01-01T00:00:00+02:00' });
    expect(found).toEqual(ticks);
    expectTypeOf(found).toEqualTypeOf<readonly TvlTick[]>();
    expect(server.requests[0]!.url).toBe(
      '/v1/vaults/a%2Fb/timeseries/tvl?from=2026-01-01T00%3A00%3A00%2B02%3A00',
    );
    await listVaults(client);
    expect(server.requests[1]!.url).toBe('/v1/vaults');
  });

  test('error: a response that decompresses to more than the limit', async () => {
    const { client } = await clientOf((_, response) => sendBomb(response));
    await expect(listVaults(client)).rejects.toMatchObject({ type: 'malformed', status: 200 });
  });

  test('behavior: amounts as bigints on request', async () => {
    const vault = {
      slug: '12',
      stats: { tvl: '340282366920938463463374607431768211456', assetsPerShare: null, apy: 0.04 },
    };
    const { client } = await clientOf((_, response) => sendJson(response, vault));
    const found = await getVault(client, { slug: 'x', amounts: 'bigint' });
    expect(found).toEqual({ ...vault, stats: { ...vault.stats, tvl: 2n ** 128n } });
    expectTypeOf(found).toEqualTypeOf<Vault<bigint>>();
    expectTypeOf(await getVault(client, { slug: 'x' })).toEqualTypeOf<Vault<string>>();
    const amounts = 'text' as 'text' | 'bigint';
    expectTypeOf(await getVault(client, { slug: 'x', amounts })).toEqualTypeOf<
      Vault<string> | Vault<bigint>
    >();
    // @ts-expect-error: a slug is required
    await expect(getVault(client, {})).rejects.toMatchObject({ type: 'config' });
  });

  test('behavior: history page by page and item by item', async () => {
    const pages = [['1', '2'], [], ['3']];
    const { client, server } = await clientOf((_, response, turn) => {
      const nextCursor = turn % 3 < 2 ? `after ${turn}` : null;
      const items = pages[turn % 3]!.map((assets) => ({ assets }));
      sendJson(response, { items, nextCursor, incompleteChains: [] });
    });
    const seen: bigint[] = [];
    for await (const item of historyItems(client, { family: 'x', limit: 2, amounts: 'bigint' })) {
      expectTypeOf(item).toEqualTypeOf<HistoryItem<bigint>>();
      seen.push(item.assets!);
    }
    expect(seen).toEqual([1n, 2n, 3n]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/history?family=x&limit=2',
      '/v1/history?family=x&cursor=after%200&limit=2',
      '/v1/history?family=x&cursor=after%201&limit=2',
    ]);
    let count = 0;
    for await (const { items } of historyPages(client, {})) count += items.length;
    expect(count).toBe(3);
  });

  test('behavior: all vault families, page by page, also from unchanged pages', async () => {
    const pages = [['a', 'b'], ['c', 'd'], ['e']];
    const { client, server } = await clientOf((request, response) => {
      const cursor = new URL(request.url!, 'http://x').searchParams.get('cursor');
      const place = cursor === null ? 0 : Number(cursor.slice(5));
      const etag = `"${place}"`;
      // Only the cursor is used, not the host or the path.
      const link = `<//elsewhere/other?limit=9&cursor=page%20${place + 1}>; rel="next"`;
      const headers = { etag, ...(place < 2 && { link: `</x>; rel="up", ${link}` }) };
      if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
      else
        sendJson(
          response,
          pages[place]!.map((slug) => ({ slug, stats: { tvl: '5' } })),
          { headers },
        );
    });
    for (let turn = 0; turn < 2; turn++) {
      const all = await listAllVaults(client, { chainId: 1, amounts: 'bigint' });
      expectTypeOf(all).toEqualTypeOf<readonly ListedVault<bigint>[]>();
      expect(all.map(({ slug }) => slug)).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(all.at(-1)!.stats!.tvl).toBe(5n);
    }
    const asked = ['', '&cursor=page%201', '&cursor=page%202'].map(
      (end) => `/v1/vaults?chainId=1${end}`,
    );
    expect(server.requests.map(({ url }) => url)).toEqual([...asked, ...asked]);
    for await (const page of vaultPages(client, { limit: 2 })) {
      expectTypeOf(page).toEqualTypeOf<readonly ListedVault[]>();
      break;
    }
    expect(server.requests.length).toBe(7);
    expect((await getVaultsPage(client, { cursor: 'page 1' })).nextCursor).toBe('page 2');
    expect((await getVaultsPage(client, { cursor: 'page 2' })).nextCursor).toBeNull();
  });

  test('behavior: the complete status has the families of all pages', async () => {
    const status = (one: string[], other: string[]) => ({
      chains: [one, other].map((slugs, i) => ({
        chainId: i + 1,
        head: '7',
        families: slugs.map((family) => ({ family })),
        feeds: [{ feed: 'usdc-usd' }],
      })),
      version: '1',
    });
    const { client } = await clientOf((_, response, turn) => {
      const headers = { link: '</v1/status?cursor=x>; rel="next"' };
      if (turn === 0) sendJson(response, status(['a', 'b'], ['b']), { headers });
      else sendJson(response, status([], ['c']));
    });
    const whole = await getWholeStatus(client, { amounts: 'bigint' });
    expectTypeOf(whole).toEqualTypeOf<Status<bigint>>();
    expect(whole).toEqual({
      ...status(['a', 'b'], ['b', 'c']),
      chains: status(['a', 'b'], ['b', 'c']).chains.map((chain) => ({ ...chain, head: 7n })),
    });
  });

  test('behavior: an unchanged response is not sent twice, and a caller cannot change it for others', async () => {
    const { client, server } = await clientOf((request, response, turn) => {
      const etag = turn < 3 ? '"one"' : '"two"';
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else sendJson(response, { items: [turn] }, { headers: { etag } });
    });
    const first = (await getHistory(client)) as unknown as { items: number[] };
    first.items.push(99);
    expect(await getHistory(client)).toEqual({ items: [0] });
    expect(await getHistory(client)).toEqual({ items: [0] });
    expect(await getHistory(client)).toEqual({ items: [3] });
    expect(await getHistory(client, { limit: 5 })).toEqual({ items: [4] });
    expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      '"one"',
      '"one"',
      '"one"',
      undefined,
    ]);
  });

  test('behavior: no more responses are cached than configured', async () => {
    const { client, server } = await clientOf(
      (_, response) => sendJson(response, [], { headers: { etag: '"x"' } }),
      { keep: 2 },
    );
    for (const limit of [1, 2, 3, 2, 3, 1]) await getHistory(client, { limit });
    const tagged = server.requests.map(({ headers }) => 'if-none-match' in headers);
    expect(tagged).toEqual([false, false, false, true, true, false]);
  });
});

describe('retries', () => {
  test.each([429, 503])('default: after %d, retries at the time in Retry-After', async (status) => {
    const { client, server } = await clientOf((_, response, turn) => {
      if (turn < 2) sendJson(response, {}, { status, headers: { 'retry-after': '0' } });
      else sendJson(response, [turn]);
    });
    expect(await listVaults(client)).toEqual([2]);
    expect(server.requests).toHaveLength(3);
  });

  test('behavior: without Retry-After, retries with backoff', async () => {
    const { client, server } = await clientOf((_, response, turn) => {
      if (turn < 2) sendJson(response, {}, { status: 503 });
      else sendJson(response, []);
    });
    const began = performance.now();
    await listVaults(client);
    // At least half of 250 and of 500 ms.
    expect(performance.now() - began).toBeGreaterThanOrEqual(370);
    expect(server.requests).toHaveLength(3);
  });

  test('error: fails if Retry-After exceeds the maximum wait', async () => {
    const { client, server } = await clientOf((_, response) =>
      sendJson(response, problem(429), { status: 429, headers: { 'retry-after': '3600' } }),
    );
    await expect(listVaults(client)).rejects.toMatchObject({
      type: 'problem',
      status: 429,
      retryAfterSeconds: 3600,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('error: fails after the allowed number of retries', async () => {
    const { client, server } = await clientOf(
      (_, response) => sendJson(response, {}, { status: 503, headers: { 'retry-after': '0' } }),
      { retries: 2 },
    );
    await expect(listVaults(client)).rejects.toMatchObject({ type: 'problem', status: 503 });
    expect(server.requests).toHaveLength(3);
  });

  test('error: the caller aborts during a wait', async () => {
    const controller = new AbortController();
    const { client } = await clientOf((_, response) => {
      sendJson(response, {}, { status: 503, headers: { 'retry-after': '20' } });
      setTimeout(() => controller.abort('enough'), 50);
    });
    const { signal } = controller;
    await expect(listVaults(client, { signal })).rejects.toMatchObject({
      type: 'aborted',
      cause: 'enough',
    });
    await expect(listVaults(client, { signal })).rejects.toMatchObject({ type: 'aborted' });
  });
});

describe('errors', () => {
  test("default: the server's problem", async () => {
    const errors = [{ parameter: 'limit', reason: 'must be a number' }];
    const { client } = await clientOf((_, response) =>
      sendJson(response, problem(400, { detail: 'limit must be a number', errors }), {
        status: 400,
      }),
    );
    const error = await listVaults(client).catch((caught: unknown) => caught);
    expect(isAssayError(error)).toBe(true);
    expect(isAssayError(error, 'timeout')).toBe(false);
    if (!isAssayError(error, 'problem')) throw error;
    expect(error.message).toBe('400: limit must be a number');
    expect(error.problem.errors).toEqual(errors);
    // Works with errors of another copy of the package: only strings are compared.
    expect(isAssayError({ name: 'AssayError', type: 'problem' }, 'problem')).toBe(true);
    expect(isAssayError(undefined)).toBe(false);
  });

  test("error: a proxy's error page", async () => {
    const { client } = await clientOf((_, response) => void response.writeHead(502).end('<html>'));
    await expect(listVaults(client)).rejects.toMatchObject({ type: 'problem', status: 502 });
  });

  test('error: a response that is not JSON', async () => {
    const { client } = await clientOf((_, response) => void response.end('[1,'));
    await expect(listVaults(client)).rejects.toMatchObject({ type: 'malformed', status: 200 });
  });

  test.each([301, 302, 303, 307, 308])('error: a redirect (%d) is not followed', async (status) => {
    const { server: other } = await clientOf((_, response) => sendJson(response, []));
    const { client, server } = await clientOf((request, response) => {
      const location = request.url === '/v1/vaults' ? `${other.url}/v1/vaults` : '/v1/vaults';
      response.writeHead(status, { location }).end();
    });
    await expect(listVaults(client)).rejects.toMatchObject({ type: 'redirected' });
    await expect(getHistory(client)).rejects.toMatchObject({ type: 'redirected' });
    expect(server.requests).toHaveLength(2);
    expect(other.requests).toHaveLength(0);
  });

  test('error: a server that hangs before or during its response', async () => {
    const { client } = await clientOf(
      (_, response, turn) => void (turn === 1 && response.write('[')),
      { timeoutMs: 200 },
    );
    await expect(listVaults(client)).rejects.toMatchObject({ type: 'timeout', timeoutMs: 200 });
    await expect(listVaults(client)).rejects.toMatchObject({ type: 'timeout' });
  });

  test('error: no server', async () => {
    const { client, server } = await clientOf(() => {});
    await server.close();
    servers.length = 0;
    await expect(listVaults(client)).rejects.toMatchObject({ type: 'network' });
  });

  test.each(['', 'api.example.com', 'ftp://x', 'https://user:word@host', 'https://host?x=1'])(
    'error: %j is not the URL of a server',
    (url) => {
      expect(() => createClient({ url })).toThrow(expect.objectContaining({ type: 'config' }));
    },
  );
});
