import { afterEach, describe, expect, expectTypeOf, test } from 'vitest';
import { type LocalServer, sendJson, startLocalServer } from '../../test/localServer.ts';
import type { Vault } from '../api/types.ts';
import { getLiveness, getVault } from '../read/actions.ts';
import { createClient } from '../read/client.ts';
import { watch } from './watch.ts';

let server: LocalServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const EACH = { intervalMs: 1 };

/** Serves the result of `found` with its text as ETag, and counts the complete responses. */
async function serve(found: () => unknown) {
  const sent: unknown[] = [];
  server = await startLocalServer(({ headers }, response) => {
    const value = found();
    if (typeof value === 'number') return void response.writeHead(value).end();
    const etag = `"${Buffer.from(JSON.stringify(value)).toString('hex')}"`;
    if (headers['if-none-match'] === etag) return void response.writeHead(304).end();
    sent.push(value);
    sendJson(response, value, { headers: { etag } });
  });
  return { sent, client: createClient({ url: server.url, retries: 0 }) };
}

describe('watch', () => {
  test('default: yields each change once, and nothing is sent twice', async () => {
    let at = 0;
    const { client, sent } = await serve(() => ({ stats: { tvl: `${Math.floor(at++ / 3)}` } }));
    const controller = new AbortController();
    const { signal } = controller;
    const seen: bigint[] = [];
    const asked = { slug: 'x', amounts: 'bigint', signal } as const;
    const answers = watch(client, getVault<typeof asked>, asked, EACH);
    for await (const { stats } of answers) {
      expectTypeOf(stats).toEqualTypeOf<Vault<bigint>['stats']>();
      seen.push(stats.tvl as bigint);
      if (seen.length === 4) controller.abort();
    }
    expect(seen).toEqual([0n, 1n, 2n, 3n]);
    expect(sent).toHaveLength(4);
    expect(server!.requests.length).toBeGreaterThanOrEqual(10);
  });

  test('behavior: continues after the server was offline', async () => {
    let turn = 0;
    const { client } = await serve(() => (turn++ === 1 ? 503 : { turn }));
    const seen: unknown[] = [];
    for await (const answer of watch(client, getLiveness, {}, EACH)) {
      if (seen.push(answer) === 2) break;
    }
    expect(seen).toEqual([{ turn: 1 }, { turn: 3 }]);
  });

  test('behavior: a signal stops it during a read', async () => {
    const controller = new AbortController();
    server = await startLocalServer(() => controller.abort());
    const asked = { signal: controller.signal };
    const answers = watch(createClient({ url: server.url }), getLiveness, asked, EACH);
    expect(await answers.next()).toEqual({ done: true, value: undefined });
    expect(server.requests).toHaveLength(1);
  });

  test('behavior: a signal stops it during a wait', async () => {
    const { client } = await serve(() => ({ turn: 1 }));
    const controller = new AbortController();
    const asked = { signal: controller.signal };
    const answers = watch(client, getLiveness, asked, { intervalMs: 600_000 });
    expect(await answers.next()).toEqual({ done: false, value: { turn: 1 } });
    const end = answers.next();
    controller.abort();
    expect(await end).toEqual({ done: true, value: undefined });
    expect(server!.requests).toHaveLength(1);
  });

  test('error: a permanent error is thrown', async () => {
    const { client } = await serve(() => 404);
    const work = watch(client, getLiveness, {}, EACH).next();
    await expect(work).rejects.toMatchObject({ type: 'problem', status: 404 });
  });
});
