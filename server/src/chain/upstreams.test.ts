import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFaultyRpc, type FaultyRpc } from '../../test/faultyRpc.ts';
import { createTinyChain, type TinyChain } from '../../test/tinyChain.ts';
import type { ChainConfig } from '../config/config.ts';
import { RangeTooWide, RpcError, RpcRateLimited, RpcUnreachable, WrongChain } from './rpcError.ts';
import { createUpstreams, type Upstreams, type UpstreamsOptions } from './upstreams.ts';

const BLOCKS = 40;

let chain: TinyChain;
let first: FaultyRpc;
let second: FaultyRpc;
let upstreams: Upstreams;
/** The clock for pauses and sibling reads; only the test moves it. */
let time: number;

beforeAll(async () => {
  chain = await createTinyChain({ chainId: 8453, startTime: 1_700_000_000 });
  for (let i = 1; i <= BLOCKS; i++) await chain.mine({ time: 1_700_000_000 + i });
});

afterAll(() => chain.close());

beforeEach(async () => {
  time = 1_000_000;
  first = await createFaultyRpc({ target: chain.url });
  second = await createFaultyRpc({ target: chain.url });
});

afterEach(async () => {
  upstreams.close();
  await first.close();
  await second.close();
});

function connect(
  urls: readonly string[],
  options: Partial<UpstreamsOptions> & { chainId?: number; timeoutSeconds?: number } = {},
): Upstreams {
  const config: ChainConfig = {
    chainId: options.chainId ?? 8453,
    name: 'base',
    rpcUrls: urls,
    finality: 'finalized',
    pollSeconds: 2,
    timeoutSeconds: options.timeoutSeconds ?? 10,
    logRange: 1_000,
    concurrency: 4,
    multicall: '0xca11bde05977b3631167028862be2a173976ca11',
  };
  upstreams = createUpstreams({ now: () => time, random: () => 1, chain: config, ...options });
  return upstreams;
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('answered'),
    (error: unknown) => error,
  );
const heads = (proxy: FaultyRpc) =>
  proxy.requests.filter(
    ({ method, params }) => method === 'eth_getBlockByNumber' && params[0] === 'latest',
  ).length;

describe('pick', () => {
  test('default: the first, with its own head', async () => {
    const { client, head } = await connect([first.url, second.url]).pick();
    expect(client.upstream).toBe(1);
    expect(head.number).toBe(BLOCKS);
  });

  test('behavior: while it works its siblings are read only now and then', async () => {
    connect([first.url, second.url]);
    for (let i = 0; i < 5; i++) await upstreams.pick();
    expect(heads(first)).toBe(5);
    const before = heads(second);
    expect(before).toBeLessThanOrEqual(1);
    time += 15_000;
    await upstreams.pick();
    await upstreams.pick();
    expect(heads(second)).toBeLessThanOrEqual(before + 1);
  });

  test.each([
    { kind: 'dead' },
    { kind: 'http500' },
    { kind: 'garbage', shape: 'html' },
    { kind: 'garbage', shape: 'truncated' },
    { kind: 'garbage', shape: 'ids' },
    { kind: 'garbage', shape: 'nulls' },
    { kind: 'http429' },
    { kind: 'hang' },
  ] as const)('behavior: a sibling takes over from one that fails: %o', async (fault) => {
    connect([first.url, second.url]);
    expect((await upstreams.pick()).client.upstream).toBe(1);
    await first.mode(fault);
    expect((await upstreams.pick()).client.upstream).toBe(2);
    await first.mode({ kind: 'none' });
    time += 60_000;
    // The first URL works again, but there is no reason to return to it.
    expect((await upstreams.pick()).client.upstream).toBe(2);
    await second.mode({ kind: 'dead' });
    expect((await upstreams.pick()).client.upstream).toBe(1);
  });

  test('behavior: a URL that never responds is waited for once, and read once', async () => {
    await first.mode({ kind: 'hang' });
    connect([first.url, second.url], { graceMs: 20, timeoutSeconds: 600 });
    for (let i = 0; i < 5; i++) expect((await upstreams.pick()).client.upstream).toBe(2);
    // Its chain id and first block are read concurrently, and nothing else.
    expect(first.requests.map(({ method }) => method).sort()).toEqual([
      'eth_chainId',
      'eth_getBlockByNumber',
    ]);
  });

  test('behavior: one that lags is not used while another is ahead', async () => {
    await first.mode({ kind: 'lag', blocks: 10 });
    connect([first.url, second.url], { graceMs: 60_000 });
    const { client, head } = await upstreams.pick();
    expect([client.upstream, head.number]).toEqual([2, BLOCKS]);
  });

  test('behavior: one that falls behind while in use is replaced', async () => {
    connect([first.url, second.url], { graceMs: 60_000 });
    expect((await upstreams.pick()).client.upstream).toBe(1);
    await first.mode({ kind: 'lag', blocks: 10 });
    expect((await upstreams.pick()).client.upstream).toBe(2);
  });

  test('behavior: a lag of a few blocks causes no change', async () => {
    await first.mode({ kind: 'lag', blocks: 3 });
    connect([first.url, second.url]);
    for (let i = 0; i < 3; i++) {
      time += 15_000;
      expect((await upstreams.pick()).client.upstream).toBe(1);
    }
  });

  test('behavior: a lagging URL is used if it is the only one', async () => {
    connect([first.url, second.url], { graceMs: 50 });
    await first.mode({ kind: 'lag', blocks: 10 });
    await second.mode({ kind: 'dead' });
    const { client, head } = await upstreams.pick();
    expect([client.upstream, head.number]).toEqual([1, BLOCKS - 10]);
  });

  test('error: none has reached the required block', async () => {
    connect([first.url, second.url]);
    expect(await failure(upstreams.pick({ mustHave: BLOCKS + 1 }))).toMatchObject({
      name: 'StateUnavailable',
      reason: 'unknown-block',
    });
  });

  test('error: none responds; while all pause nothing is sent', async () => {
    await first.mode({ kind: 'http500' });
    await second.mode({ kind: 'http500' });
    connect([first.url, second.url]);
    expect(await failure(upstreams.pick())).toBeInstanceOf(RpcUnreachable);
    const sent = first.requests.length + second.requests.length;
    expect(await failure(upstreams.pick())).toBeInstanceOf(RpcError);
    expect(first.requests.length + second.requests.length).toBe(sent);
    await first.mode({ kind: 'none' });
    time = upstreams.retryAt();
    expect((await upstreams.pick()).client.upstream).toBe(1);
  });

  test('error: the URL is of another chain', async () => {
    const error = await failure(connect([first.url], { chainId: 1 }).pick());
    expect(error).toBeInstanceOf(WrongChain);
    expect((error as WrongChain).safeText).toBe(
      'rpc 1 answers for chain 8453, the configuration says 1',
    );
    expect(upstreams.states()).toEqual([
      { upstream: 1, head: null, error: 'rpc 1 answers for chain 8453, the configuration says 1' },
    ]);
  });

  test('error: a sibling is of another chain with the same id', async () => {
    const other = await createTinyChain({ chainId: 8453, startTime: 1_600_000_000 });
    connect([first.url, other.url]);
    const { client } = await upstreams.pick();
    expect(client.upstream).toBe(1);
    await first.mode({ kind: 'dead' });
    expect(await failure(upstreams.pick())).toBeInstanceOf(RpcError);
    expect(upstreams.states()[1]?.error).toContain('its first block differs');
    await other.close();
  });

  test('error: not the chain that the store was filled from', async () => {
    const genesis = `0x${'12'.repeat(32)}` as const;
    expect(await failure(connect([first.url], { genesis }).pick())).toBeInstanceOf(WrongChain);
  });
});

describe('failed', () => {
  test('default: pauses double up to 30 s, and a success resets them', async () => {
    connect([first.url]);
    const { client } = await upstreams.pick();
    const error = new RpcUnreachable({ upstream: 1, reason: 'timeout' });
    const rests: number[] = [];
    for (let i = 0; i < 8; i++) {
      upstreams.failed(client, error);
      rests.push(upstreams.retryAt() - time);
      time = upstreams.retryAt();
      // A head alone does not reset them.
      await upstreams.pick();
    }
    expect(rests).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    upstreams.worked(client);
    upstreams.failed(client, error);
    expect(upstreams.retryAt() - time).toBe(500);
  });

  test('behavior: requests that fail together count once', async () => {
    connect([first.url]);
    const { client } = await upstreams.pick();
    for (let i = 0; i < 10; i++) {
      upstreams.failed(client, new RpcUnreachable({ upstream: 1, reason: 'connection' }));
    }
    expect(upstreams.retryAt() - time).toBe(500);
  });

  test('behavior: a pause is at least what the RPC endpoint requested', async () => {
    connect([first.url]);
    const { client } = await upstreams.pick();
    upstreams.failed(client, new RpcRateLimited({ upstream: 1, retryAfterSeconds: 7 }));
    expect(upstreams.retryAt() - time).toBe(7_000);
  });

  test('behavior: a range that is too wide is not a failure of the URL', async () => {
    connect([first.url]);
    const { client } = await upstreams.pick();
    const error = new RangeTooWide({ upstream: 1, suggestedTo: null, maxBlocks: null });
    upstreams.failed(client, error);
    expect(upstreams.retryAt()).toBeLessThanOrEqual(time);
  });
});

describe('genesisHash', () => {
  test('default', async () => {
    const block = (await chain.rpc('eth_getBlockByNumber', ['0x0', false])) as { hash: string };
    expect(await connect([first.url, second.url]).genesisHash()).toBe(block.hash);
  });
});
