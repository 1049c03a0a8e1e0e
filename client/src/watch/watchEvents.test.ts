import { afterEach, describe, expect, test } from 'vitest';
import { type LocalServer, sendJson, startLocalServer } from '../../test/localServer.ts';
import { createClient } from '../read/client.ts';
import { watchEventPages, watchEvents } from './watchEvents.ts';

let server: LocalServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const FAST = { maxRetryMs: 1 };

function afterOf(url: string | undefined): string | null {
  return new URL(url!, 'http://x').searchParams.get('after');
}

describe('watchEvents', () => {
  test('default: waits at the server, and continues from the last cursor', async () => {
    server = await startLocalServer((_, response, turn) =>
      sendJson(response, { events: [{ id: `${turn}` }], cursor: `c${turn}`, hasMore: false }),
    );
    const client = createClient({ url: server.url });
    const seen: string[] = [];
    for await (const { id } of watchEvents(client, { types: 'pool', after: 'start' })) {
      if (seen.push(id) === 3) break;
    }
    expect(seen).toEqual(['0', '1', '2']);
    expect(server.requests.map(({ url }) => afterOf(url))).toEqual(['start', 'c0', 'c1']);
    expect(server.requests[0]!.url).toContain('wait=25');
  });

  test('behavior: retries a server that restarts, is busy, or is behind a proxy, from the same cursor', async () => {
    server = await startLocalServer((request, response, turn) => {
      if (turn === 1) return void request.socket.destroy();
      if (turn >= 2 && turn <= 7) {
        return void response.writeHead([500, 502, 503, 504, 429, 503][turn - 2]!).end('<html>');
      }
      sendJson(response, { events: [{ id: `${turn}` }], cursor: `c${turn}`, hasMore: false });
    });
    const client = createClient({ url: server.url, retries: 0 });
    const seen: string[] = [];
    const retried: unknown[] = [];
    const onRetry = (error: unknown) => void retried.push(error);
    for await (const { id } of watchEvents(client, {}, { ...FAST, onRetry })) {
      if (seen.push(id) === 2) break;
    }
    expect(seen).toEqual(['0', '8']);
    expect(retried).toHaveLength(7);
    expect(server.requests.slice(1).map(({ url }) => afterOf(url))).toEqual(Array(8).fill('c0'));
  });

  test('behavior: a page without events moves the cursor', async () => {
    server = await startLocalServer((_, response, turn) =>
      sendJson(response, { events: [], cursor: `c${turn}`, hasMore: false }),
    );
    const cursors: string[] = [];
    for await (const { cursor } of watchEventPages(createClient({ url: server.url }), {})) {
      if (cursors.push(cursor) === 2) break;
    }
    expect(cursors).toEqual(['c0', 'c1']);
  });

  test('behavior: a signal stops it during a request and during a retry', async () => {
    for (const hangs of [true, false]) {
      const controller = new AbortController();
      server = await startLocalServer((_, response) => {
        if (!hangs) response.writeHead(503).end();
        setTimeout(() => controller.abort(), 20);
      });
      const client = createClient({ url: server.url, retries: 0 });
      const asked = { signal: controller.signal };
      for await (const _ of watchEvents(client, asked)) expect.unreachable();
      await server.close();
    }
    server = undefined;
  });

  test('error: a permanent error is thrown', async () => {
    server = await startLocalServer((_, response) => void response.writeHead(404).end());
    const first = watchEvents(createClient({ url: server.url }), {}).next();
    await expect(first).rejects.toMatchObject({ type: 'problem', status: 404 });
  });
});
