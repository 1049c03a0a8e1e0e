import http from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFaultyRpc, type FaultyRpc } from '../../test/faultyRpc.ts';
import { listenOnLoopback, stopServer } from '../../test/loopbackServer.ts';
import { createTinyChain, type TinyChain } from '../../test/tinyChain.ts';
import type { Address } from '../domain/hex.ts';
import { createRpcClient, type RpcClient } from './rpcClient.ts';
import { findStateDepth, stateDepthText } from './stateDepth.ts';

const VAULT: Address = `0x${'5a'.repeat(20)}`;
const BEGAN = 1_790_000_000;
const HEAD = 200;

let chain: TinyChain;
let node: FaultyRpc;
let rpc: RpcClient;
beforeAll(async () => {
  chain = await createTinyChain({ chainId: 8453, startTime: BEGAN });
  for (let i = 1; i <= HEAD; i++) await chain.mine({ time: BEGAN + i * 12 });
  node = await createFaultyRpc({ target: chain.url });
  rpc = createRpcClient({ url: node.url, upstream: 1, timeoutMs: 10_000 });
});
beforeEach(() => node.mode({ kind: 'none' }));
afterAll(async () => {
  rpc?.close();
  await node?.close();
  await chain?.close();
});

async function find(first = 1) {
  const before = node.requests.length;
  const depth = await findStateDepth(rpc, { address: VAULT, first, head: HEAD });
  return { depth, calls: node.requests.length - before };
}

test('default: an archive is known after one call', async () => {
  expect(await find()).toEqual({ depth: { kind: 'whole' }, calls: 1 });
  // A recent vault needs no archive.
  await node.mode({ kind: 'pruned', blocks: 128 });
  expect(await find(150)).toEqual({ depth: { kind: 'whole' }, calls: 1 });
});

test.each([1, 5, 128, 198])('behavior: %d blocks of state', async (blocks) => {
  await node.mode({ kind: 'pruned', blocks });
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
    await node.mode({ kind: 'pruned', blocks: 5 });
    const asked = { address: VAULT, first: 1, head: HEAD };
    const before = node.requests.length;
    expect(await findStateDepth(reporting, asked)).toMatchObject({ kind: 'recent', blocks: 5 });
    expect(node.requests.length - before).toBe(4);
    reported = 50;
    expect(await findStateDepth(reporting, asked)).toMatchObject({ kind: 'recent', blocks: 5 });
  } finally {
    reporting.close();
    await stopServer(server);
  }
});

test('behavior: any other refusal ends the search without a depth', async () => {
  await node.mode({ kind: 'http429' });
  expect((await find()).depth).toEqual({
    kind: 'unknown',
    reason: 'it limits the request rate',
  });
  await node.mode({ kind: 'refuse' });
  expect((await find()).depth).toMatchObject({ kind: 'unknown' });
  await node.mode({ kind: 'pruned', blocks: 0 });
  expect((await find()).depth).toMatchObject({ kind: 'unknown' });
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
