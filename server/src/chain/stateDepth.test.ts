import http from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Profile, type Provider, serveProvider } from '../../../devnet/src/index.ts';
import { listenOnLoopback, stopServer } from '../../test/loopbackServer.ts';
import { ARCHIVE, stateOf } from '../../test/providers.ts';
import { createTinyChain, type TinyChain } from '../../test/tinyChain.ts';
import type { Address } from '../domain/hex.ts';
import { createRpcClient, type RpcClient } from './rpcClient.ts';
import { findStateDepth, stateDepthText } from './stateDepth.ts';

const VAULT: Address = `0x${'5a'.repeat(20)}`;
const BEGAN = 1_790_000_000;
const HEAD = 200;

let chain: TinyChain;
let node: Provider;
let rpc: RpcClient;
beforeAll(async () => {
  chain = await createTinyChain({ chainId: 8453, startTime: BEGAN });
  for (let i = 1; i <= HEAD; i++) await chain.mine({ time: BEGAN + i * 12 });
  node = await serveProvider({ profile: ARCHIVE, target: chain.url });
  rpc = createRpcClient({ url: node.url, upstream: 1, timeoutMs: 10_000 });
});
beforeEach(() => node.control.setDepth(null));
afterAll(async () => {
  rpc?.close();
  await node?.close();
  await chain?.close();
});

async function find(first = 1, asked = rpc) {
  const before = node.counts().requests;
  const depth = await findStateDepth(asked, { address: VAULT, first, head: HEAD });
  return { depth, calls: node.counts().requests - before };
}

test('default: an archive is known after one call', async () => {
  expect(await find()).toEqual({ depth: { kind: 'whole' }, calls: 1 });
  // A recent vault needs no archive.
  node.control.setDepth(stateOf(128));
  expect(await find(150)).toEqual({ depth: { kind: 'whole' }, calls: 1 });
});

test.each([1, 5, 128, 198])('behavior: %d blocks of state', async (blocks) => {
  node.control.setDepth(stateOf(blocks));
  const { depth, calls } = await find();
  const oldest = HEAD - blocks + 1;
  expect(depth).toEqual({ kind: 'recent', blocks, oldest, since: BEGAN + oldest * 12 });
  expect(calls).toBeLessThan(16);
});

test("behavior: a node's reported depth is trusted after a test read", async () => {
  let reported = HEAD - 4;
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', async () => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const result = { state: { oldestBlock: `0x${reported.toString(16)}` } };
      response.setHeader('content-type', 'application/json');
      if (method === 'eth_capabilities') {
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        return;
      }
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(node.url, { method: 'POST', body, headers });
      response.end(await answer.text());
    });
  });
  const port = await listenOnLoopback(server, 0);
  const url = `http://127.0.0.1:${port}`;
  const reporting = createRpcClient({ url, upstream: 1, timeoutMs: 10_000 });
  try {
    node.control.setDepth(stateOf(5));
    const asked = { address: VAULT, first: 1, head: HEAD };
    const before = node.counts().requests;
    expect(await findStateDepth(reporting, asked)).toMatchObject({ kind: 'recent', blocks: 5 });
    expect(node.counts().requests - before).toBe(4);
    reported = 50;
    expect(await findStateDepth(reporting, asked)).toMatchObject({ kind: 'recent', blocks: 5 });
  } finally {
    reporting.close();
    await stopServer(server);
  }
});

test('behavior: any other error ends the search without a depth', async () => {
  node.control.limitAll(true);
  expect((await find()).depth).toEqual({
    kind: 'unknown',
    reason: 'it limits the request rate',
  });
  node.control.limitAll(false);
  node.control.setDepth(stateOf(0));
  expect((await find()).depth).toMatchObject({ kind: 'unknown' });
  const form = { status: 200, code: -32000, message: 'something went wrong' };
  const profile: Profile = { ...ARCHIVE, faults: [{ kind: 'reject', share: 1, form }] };
  const broken = await serveProvider({ profile, target: chain.url });
  const asked = createRpcClient({ url: broken.url, upstream: 1, timeoutMs: 10_000 });
  try {
    expect((await find(1, asked)).depth).toMatchObject({ kind: 'unknown' });
  } finally {
    asked.close();
    await broken.close();
  }
});

test('stateDepthText', () => {
  expect(stateDepthText({ kind: 'whole' }, 8453)).toBeUndefined();
  expect(stateDepthText({ kind: 'recent', blocks: 128, oldest: 73, since: BEGAN }, 8453)).toBe(
    'it keeps 128 blocks of state, so series begin on 2026-09-21, at block 73; add an archive URL to chain 8453 to have them from the first block',
  );
  expect(stateDepthText({ kind: 'unknown', reason: 'it limits the request rate' }, 8453)).toBe(
    'how much state it keeps could not be established (it limits the request rate); if series begin late, add an archive URL to chain 8453 to have them from the first block',
  );
});
