import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWire, type WireOptions } from '../wire/send.ts';
import { createChainProof } from './chainProof.ts';
import type { OpenPayment } from './store.ts';

const servers: http.Server[] = [];
const seen: string[] = [];
let direct: string;
let redirecting: string;
let endless: string;

async function serve(answer: http.RequestListener): Promise<string> {
  const server = http.createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  // Reports the payment as unused and expired, which would free its reservation.
  direct = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(body);
    const { method } = JSON.parse(body) as { method: string };
    const results: Record<string, unknown> = {
      eth_chainId: '0x2105',
      eth_getBlockByNumber: { number: '0x9', timestamp: '0x64' },
      eth_call: `0x${'0'.repeat(64)}`,
    };
    response.end(JSON.stringify({ result: results[method] }));
  });
  const bomb = gzipSync(Buffer.alloc(33_000_000, ' '));
  endless = await serve((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb);
  });
  redirecting = await serve((request, response) => {
    request.resume();
    response.writeHead(307, { location: direct }).end();
  });
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe('chainProof', () => {
  const payment = {
    network: 'eip155:8453',
    payer: `0x${'a1'.repeat(20)}`,
    asset: `0x${'b2'.repeat(20)}`,
    nonce: `0x${'c3'.repeat(32)}`,
    validBefore: 100,
  } as OpenPayment;

  const ask = (url: string, options: WireOptions = { timeoutMs: 10_000 }) =>
    createChainProof({
      wire: createWire(options),
      rpc: { 'eip155:8453': url },
      finality: 'finalized',
    }).verdict(payment);

  test('default', async () => {
    expect(await ask(direct)).toBe('unused');
    expect(seen).toHaveLength(3);
  });

  test('behavior: an endpoint that redirects proves nothing, and the redirect is not followed', async () => {
    seen.length = 0;
    expect(await ask(redirecting)).toBe('open');
    expect(seen).toEqual([]);
  });

  test('behavior: a response that inflates without end proves nothing, and is not read to its end', async () => {
    // Without the limit it would wait for this timeout, which is longer than the test's.
    expect(await ask(endless, { timeoutMs: 600_000 })).toBe('open');
  });

  test('behavior: a body that never ends, on a platform that ignores the abort, does not keep a purchase waiting', async () => {
    const deaf = async () => new Response(new ReadableStream());
    expect(await ask(direct, { fetch: deaf, timeoutMs: 20 })).toBe('open');
  });
});
