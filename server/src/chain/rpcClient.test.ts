import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createRpcClient, type RpcClient } from './rpcClient.ts';
import { RangeTooWide, RpcRateLimited, type RpcUnreachable } from './rpcError.ts';

interface Sent {
  id: number;
  method: string;
  params: unknown[];
}
type Handler = (
  body: Sent | Sent[],
  response: http.ServerResponse,
  request: http.IncomingMessage,
) => void;

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Starts a node with this handler, and a client for it. */
async function connect(
  handler: Handler,
  options: Partial<Parameters<typeof createRpcClient>[0]> & { auth?: string } = {},
): Promise<RpcClient> {
  const server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => handler(JSON.parse(text), response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.auth ?? ''}127.0.0.1:${port}/v2/s3cr3t`;
  const client = createRpcClient({ timeoutMs: 5_000, upstream: 1, url, ...options });
  cleanups.push(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return client;
}

const echo = ({ id, method }: Sent) => ({ jsonrpc: '2.0', id, result: method });
const calls = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ method: `m${i}`, params: [] }));
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('answered'),
    (error: unknown) => error,
  );

describe('request', () => {
  test('default', async () => {
    const client = await connect((body, response) =>
      response.end(JSON.stringify(echo(body as Sent))),
    );
    expect(await client.request('eth_chainId', [])).toBe('eth_chainId');
  });

  test('behavior: credentials in the URL become a header', async () => {
    const client = await connect(
      (body, response, request) => {
        const { id } = body as Sent;
        response.end(JSON.stringify({ id, result: [request.headers.authorization, request.url] }));
      },
      { auth: 'me:p%40ss@' },
    );
    expect(await client.request('m', [])).toEqual([
      `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
      '/v2/s3cr3t',
    ]);
  });

  test('behavior: a compressed response', async () => {
    const client = await connect((body, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(JSON.stringify(echo(body as Sent))));
    });
    expect(await client.request('m', [])).toBe('m');
  });

  test('behavior: an idle socket that the server closed is replaced', async () => {
    const sockets: { destroy(): void }[] = [];
    const client = await connect((body, response, request) => {
      const fresh = !sockets.includes(request.socket);
      sockets.push(request.socket);
      // The second request uses a pooled socket that the server has closed.
      if (fresh) response.end(JSON.stringify(echo(body as Sent)));
      else request.socket.destroy();
    });
    expect(await client.request('a', [])).toBe('a');
    expect(await client.request('b', [])).toBe('b');
  });

  test('behavior: no more requests at once than sockets', async () => {
    const sockets = new Set<unknown>();
    let held: (() => void)[] = [];
    const client = await connect(
      (body, response, request) => {
        sockets.add(request.socket);
        held.push(() => response.end(JSON.stringify(echo(body as Sent))));
        if (held.length < 3) return;
        const ready = held;
        held = [];
        for (const answer of ready) answer();
      },
      { sockets: 3 },
    );
    const results = await Promise.all(calls(21).map((call) => client.request(call.method, [])));
    expect(results).toEqual(calls(21).map((call) => call.method));
    expect(sockets.size).toBe(3);
  });

  test('error: nothing listens', async () => {
    const client = createRpcClient({
      url: 'http://127.0.0.1:1/k3y',
      upstream: 3,
      timeoutMs: 5_000,
    });
    cleanups.push(client.close);
    const error = (await failure(client.request('m', []))) as RpcUnreachable;
    expect(error).toMatchObject({ name: 'RpcUnreachable', reason: 'connection', retry: true });
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/k3y|127\.0\.0\.1/);
  });

  test('error: a timeout', async () => {
    const client = await connect(() => {}, { timeoutMs: 50 });
    expect(await failure(client.request('m', []))).toMatchObject({ reason: 'timeout' });
  });

  test.each([408, 504, 524])('error: HTTP %s for a log range is a timeout', async (status) => {
    const client = await connect((_, response) => {
      response.statusCode = status;
      response.end('<html><body>timeout</body></html>');
    });
    const range = { fromBlock: 1, toBlock: 9 };
    const late = { name: 'RpcUnreachable', reason: 'server-timeout' };
    expect(await failure(client.request('eth_getLogs', [], { range }))).toMatchObject(late);
    expect(await failure(client.request('eth_call', []))).toMatchObject({
      reason: 'status',
      status,
    });
  });

  test('error: cancelled, by a signal or by close', async () => {
    const client = await connect(() => {});
    const abort = new AbortController();
    const first = failure(client.request('m', [], { signal: abort.signal }));
    const second = failure(client.request('m', []));
    abort.abort();
    expect(await first).toMatchObject({ reason: 'aborted' });
    client.close();
    expect(await second).toMatchObject({ reason: 'aborted' });
    expect(await failure(client.request('m', []))).toMatchObject({ reason: 'aborted' });
  });

  test.each([
    ['HTML', '<html></html>'],
    ['cut short', '{"jsonrpc":"2.0","id":1,"res'],
    ['another id', '{"jsonrpc":"2.0","id":999,"result":"0x1"}'],
    ['no result', '{"jsonrpc":"2.0","id":1}'],
    ['null', 'null'],
    ['a number', '7'],
    ['an array', '[]'],
    ['an error of another type', '{"id":1,"error":7}'],
  ])('error: garbage: %s', async (_, body) => {
    const client = await connect((_body, response) => response.end(body));
    expect(await failure(client.request('m', []))).toMatchObject({ reason: 'garbage' });
  });

  test('error: the connection ends within the response', async () => {
    const client = await connect((_body, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"jsonrpc"');
      setImmediate(() => response.destroy());
    });
    expect(await failure(client.request('m', []))).toMatchObject({ reason: 'connection' });
  });

  test('error: too many bytes; for logs a range that is too wide', async () => {
    const client = await connect((_body, response) => response.end('x'.repeat(5_000)), {
      maxBodyBytes: 1_000,
    });
    expect(await failure(client.request('m', []))).toMatchObject({ reason: 'oversized' });
    const range = { fromBlock: 1, toBlock: 9 };
    const error = await failure(client.request('eth_getLogs', [], { range }));
    expect(error).toBeInstanceOf(RangeTooWide);
  });

  test.each([
    ['2', 2],
    ['soon', null],
    [undefined, null],
  ])('error: HTTP 429, Retry-After %s', async (header, seconds) => {
    const client = await connect((_body, response) => {
      if (header !== undefined) response.setHeader('retry-after', header);
      response.writeHead(429).end('slow down');
    });
    const error = await failure(client.request('m', []));
    expect(error).toBeInstanceOf(RpcRateLimited);
    expect(error).toMatchObject({ retryAfterSeconds: seconds });
  });

  test.each([500, 502, 503, 404, 301])('error: HTTP %s', async (status) => {
    const client = await connect((_body, response) => response.writeHead(status).end('oops'));
    const error = await failure(client.request('m', []));
    expect(error).toMatchObject({ name: 'RpcUnreachable', reason: 'status', status });
  });

  test('error: a rejected key', async () => {
    const client = await connect((_body, response) => response.writeHead(401).end());
    const error = (await failure(client.request('m', []))) as RpcUnreachable;
    expect(error.safeText).toBe(
      'rpc 1 rejected the credentials (HTTP 401): check the key in its URL',
    );
  });

  test('error: a JSON-RPC error counts with any HTTP status', async () => {
    const client = await connect((body, response) => {
      const error = { code: -32614, message: 'eth_getLogs is limited to a 10,000 range' };
      response.writeHead(413).end(JSON.stringify({ id: (body as Sent).id, error }));
    });
    const range = { fromBlock: 0, toBlock: 50_000 };
    const error = await failure(client.request('eth_getLogs', [], { range }));
    expect(error).toMatchObject({ name: 'RangeTooWide', maxBlocks: 10_000, suggestedTo: 9_999 });
  });
});

describe('batch', () => {
  const results = (outcomes: readonly object[]) =>
    outcomes.map((outcome) => ('result' in outcome ? outcome.result : outcome));

  test('default: matched by id, in any order, 100 to a request', async () => {
    const sizes: number[] = [];
    const counts: number[] = [];
    const client = await connect(
      (body, response) => {
        sizes.push((body as Sent[]).length);
        response.end(JSON.stringify((body as Sent[]).map(echo).reverse()));
      },
      { onCalls: (count) => counts.push(count) },
    );
    const outcomes = await client.batch(calls(250));
    expect(results(outcomes)).toEqual(calls(250).map((call) => call.method));
    expect(sizes.sort()).toEqual([100, 100, 50].sort());
    expect(counts.sort()).toEqual(sizes);
  });

  test('behavior: one call fails, the others do not', async () => {
    const client = await connect((body, response) => {
      const answers = (body as Sent[]).map((sent, i) =>
        i === 1 ? { id: sent.id, error: { code: 3, message: 'execution reverted' } } : echo(sent),
      );
      response.end(JSON.stringify(answers));
    });
    const outcomes = await client.batch(calls(3));
    expect(outcomes[0]).toEqual({ result: 'm0' });
    expect(outcomes[1]).toMatchObject({ error: { name: 'RpcRefused', reverted: true } });
    expect(outcomes[2]).toEqual({ result: 'm2' });
  });

  test.each<[string, (response: http.ServerResponse, sent: Sent[]) => void]>([
    [
      'one error',
      (response) => response.end('{"id":null,"error":{"code":-32600,"message":"batch too large"}}'),
    ],
    [
      'an error for each',
      (response, sent) => {
        const error = { code: 31, message: 'Batch of more than 3 requests are not allowed' };
        response.end(JSON.stringify(sent.map(({ id }) => ({ id, error }))));
      },
    ],
    ['an HTTP status', (response) => response.writeHead(413).end('too large')],
  ])('behavior: learns that a node accepts 3 calls at most: %s', async (_, refuse) => {
    const sizes: number[] = [];
    const client = await connect((body, response) => {
      const sent = Array.isArray(body) ? body : [body];
      sizes.push(sent.length);
      if (sent.length > 3) refuse(response, sent);
      else response.end(JSON.stringify(Array.isArray(body) ? sent.map(echo) : echo(body)));
    });
    expect(results(await client.batch(calls(20)))).toEqual(calls(20).map((call) => call.method));
    sizes.length = 0;
    expect(results(await client.batch(calls(20)))).toEqual(calls(20).map((call) => call.method));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
  });

  test('behavior: an RPC endpoint without batches gets single requests', async () => {
    const client = await connect((body, response) => {
      if (Array.isArray(body)) response.writeHead(400).end('no arrays');
      else response.end(JSON.stringify(echo(body)));
    });
    expect(results(await client.batch(calls(5)))).toEqual(calls(5).map((call) => call.method));
  });

  test('behavior: in order, one after the other without batches', async () => {
    const seen: string[] = [];
    let inFlight = 0;
    let most = 0;
    const client = await connect((body, response) => {
      if (Array.isArray(body)) return response.writeHead(400).end('no arrays');
      seen.push(body.method);
      most = Math.max(most, ++inFlight);
      setImmediate(() => {
        inFlight -= 1;
        response.end(JSON.stringify(echo(body)));
      });
    });
    const methods = calls(5).map((call) => call.method);
    expect(results(await client.batch(calls(5), { inOrder: true }))).toEqual(methods);
    expect(seen).toEqual(methods);
    expect(most).toBe(1);
  });

  test('error: a response is missing', async () => {
    const client = await connect((body, response) =>
      response.end(JSON.stringify((body as Sent[]).slice(1).map(echo))),
    );
    expect(await client.batch(calls(3))).toEqual([
      { error: expect.objectContaining({ name: 'RpcUnreachable', reason: 'garbage' }) },
      { result: 'm1' },
      { result: 'm2' },
    ]);
  });

  test('error: one call is limited', async () => {
    const client = await connect((body, response) => {
      const [first, ...rest] = body as Sent[];
      const error = { code: 429, message: 'compute units per second exceeded' };
      response.end(JSON.stringify([{ id: first!.id, error }, ...rest.map(echo)]));
    });
    const [limited, ...rest] = await client.batch(calls(3));
    expect(limited).toEqual({ error: expect.any(RpcRateLimited) });
    expect(rest).toEqual([{ result: 'm1' }, { result: 'm2' }]);
  });

  test('error: a node that fails every request fails the batch after one', async () => {
    let requests = 0;
    const client = await connect((_body, response) => {
      requests++;
      response.writeHead(500).end('{"error":{"code":-32603,"message":"internal"}}');
    });
    const outcomes = await client.batch(calls(50));
    expect(outcomes).toHaveLength(50);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ error: { name: 'RpcRefused', retry: true } });
    }
    expect(requests).toBe(1);
  });
});
