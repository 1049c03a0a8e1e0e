import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROFILES, serveProvider } from '../../../devnet/src/index.ts';
import { createRandom, mineBlocks } from '../../test/activity.ts';
import { type CountedRpc, serveCounted } from '../../test/countedRpc.ts';
import { withDatabase } from '../../test/database.ts';
import { type Indexing, liveAt, startIndexing } from '../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import { callsPerHead, callsPerTick, expectedCalls } from '../ingest/expectedCalls.ts';
import { expectedFilters, logRequestsOf } from '../ingest/expectedFilters.ts';
import { examineCalls } from './examineCalls.ts';
import { readMetrics } from './runningServer.ts';

const BASE = 8453;
const METRICS = `# TYPE process_start_time_seconds gauge
process_start_time_seconds 1000
assay_info{version="0.1.0"} 1
assay_store_up 1
assay_rpc_calls_total{chain_id="${BASE}",purpose="index"} 500
assay_rpc_calls_total{chain_id="${BASE}",purpose="live"} 100
assay_rpc_calls_total{chain_id="10",purpose="index"} 7
`;

let served: ServedWorld;
let rpc: CountedRpc;
beforeAll(async () => {
  served = await serveWorld({ seed: 'examine calls', chainIds: [BASE] });
  rpc = await serveCounted(served.world.chains.map(({ chain }) => chain));
});
afterAll(async () => {
  await rpc?.close();
  await served?.close();
});

const configOf = (chain = {}) =>
  served.config({ rpc: rpc.urls, chain: { pollSeconds: 0.05, finality: { depth: 64 }, ...chain } });
const textsOf = async (...asked: Parameters<typeof examineCalls>) =>
  (await examineCalls(...asked)).map(({ text }) => text);

describe('examineCalls', () => {
  test("default: the expected calls and a running server's calls, per day", async () => {
    const running = readMetrics(METRICS);
    expect(running).toMatchObject({ version: '0.1.0', storeUp: true, startedAt: 1000 });
    const [expected, measured] = await textsOf(configOf(), running, 1000 + 3600);
    expect(expected).toMatch(/^calls: chain 8453 \(base\): about \d+ a day while following \(head/);
    expect(measured).toBe('calls: chain 8453 (base): 600 in 3600 s, so 14400 a day');
    expect(expected).toContain('live reads 2400');
  });

  test('behavior: shortly after its start, a server reports no daily amount', async () => {
    expect(await textsOf(configOf(), readMetrics(METRICS), 1060)).toHaveLength(1);
  });

  test('behavior: warns about more calls than the file allows', async () => {
    const config = configOf({ callsPerDay: 1_000 });
    const lines = await examineCalls(config, readMetrics(METRICS), 4600);
    expect(lines.map(({ warning }) => warning)).toEqual([true, true]);
    for (const { text } of lines) expect(text).toMatch(/more than its callsPerDay of 1000; raise/);
  });

  test('behavior: a URL that limits the addresses of a filter needs more requests for logs', async () => {
    const plan = PROFILES['reth-pruned'];
    const filter = { ...plan.filter!, max: 2 };
    const target = served.urlOf(BASE);
    const provider = await serveProvider({ profile: { ...plan, filter, faults: [] }, target });
    try {
      const chain = { pollSeconds: 2 };
      const plain = served.config({ chain });
      const split = served.config({ chain, rpc: { [BASE]: [provider.url] } });
      const logsOf = async (config: typeof plain) =>
        Number(/logs (\d+)/.exec((await textsOf(config, undefined, 0))[0]!)?.[1]);
      const feeds = plain.prices.feeds.flatMap((feed) =>
        feed.kind === 'aggregator' && feed.chainId === BASE ? [feed.address] : [],
      );
      const filters = expectedFilters(plain.families, feeds, BASE);
      const [once, often] = [1_000, 2].map((max) => logRequestsOf(filters, max));
      expect(often).toBeGreaterThan(once!);
      expect((await logsOf(split)) / (await logsOf(plain))).toBeCloseTo(often! / once!, 1);
    } finally {
      await provider.close();
    }
  });

  test('behavior: no line for an unreachable chain, which another check reports', async () => {
    const config = served.config({ rpc: { [BASE]: ['http://127.0.0.1:1'] } });
    expect(await textsOf(config, undefined, 0)).toEqual([]);
  });

  test('behavior: metrics of another program are ignored', () => {
    expect(readMetrics('up 1\n')).toBeUndefined();
  });
});

describe('expectedCalls', () => {
  const adapters = ['receiver-queue'] as const;
  const followed = {
    ...{ logRequests: 1, families: 6, stateRequests: 2 },
    ...{ proxies: false, adapters, eventShare: 0 },
  };

  test('default: equals the calls that an indexer then sends for each head and each tick', () =>
    withDatabase('pglite', async (database) => {
      const indexing = startIndexing(await database.open(), configOf());
      await indexing.until(liveAt(served.heads()));
      // Ten seconds per block: thirty blocks per tick.
      for (const [heads, blocks] of [
        [30, 1],
        [6, 5],
      ] as const) {
        const before = rpc.calls(BASE);
        for (let i = 0; i < heads; i++) await grow(indexing, blocks);
        const now = rpc.calls(BASE);
        const sent = (name: string) => (now[name] ?? 0) - (before[name] ?? 0);
        const head = callsPerHead(followed, blocks);
        const tick = callsPerTick(followed);
        const ticks = (heads * blocks * 10) / 300;
        within20(sent('eth_getLogs'), heads * head.logs);
        within20(sent('header'), heads * head.headers + ticks * tick.headers);
        const state = heads * head.state + ticks * tick.state;
        const all = heads * (head.logs + head.headers) + ticks * tick.headers + state;
        within20(sent('eth_getLogs') + sent('header') + sent('eth_call'), all);
        // Every head is read once. Polls without a new head add to that as time passes.
        expect(sent('latest')).toBeGreaterThanOrEqual(heads);
      }
      await indexing.stop();
    }));

  test('behavior: heads with events, and the share of them that doctor reads', () =>
    withDatabase('pglite', async (database) => {
      const indexing = startIndexing(await database.open(), configOf());
      await indexing.until(liveAt(served.heads()));
      const random = createRandom(27);
      const { chain } = served.world.chain(BASE);
      const since = chain.tip.time;
      const before = rpc.calls(BASE);
      const heads = 24;
      for (let i = 0; i < heads; i++) {
        await mineBlocks(served.world, BASE, 1, random);
        await indexing.until(liveAt(served.heads()));
      }
      const now = rpc.calls(BASE);
      await indexing.stop();
      const sent = ['eth_getLogs', 'header', 'eth_call'].reduce(
        (sum, name) => sum + (now[name] ?? 0) - (before[name] ?? 0),
        0,
      );
      // doctor's estimate uses the logs of the last heads.
      const config = configOf({ logRange: heads });
      const events = await eventsPerDay(config);
      const head = callsPerHead(followed, 1);
      const tick = callsPerTick(followed);
      const ticks = (chain.tip.time - since) / 300;
      const perHead = head.logs + head.headers + head.state;
      const expected = heads * perHead + ticks * (tick.headers + tick.state);
      const days = (chain.tip.time - since) / 86_400;
      expect(events).toBeGreaterThan(0);
      within20(sent, expected + events * days);
    }));

  async function eventsPerDay(config: ReturnType<typeof configOf>): Promise<number> {
    const [text] = await textsOf(config, undefined, 0);
    return Number(/events (\d+)/.exec(text!)?.[1]);
  }

  async function grow(indexing: Indexing, blocks: number): Promise<void> {
    const { chain } = served.world.chain(BASE);
    await chain.exclusive(async () => {
      for (let i = 0; i < blocks; i++) await chain.mine(chain.tip.time + 10);
    });
    await indexing.until(liveAt(served.heads()));
  }

  test('behavior: by day, on Base and on Ethereum', () => {
    const base = { ...followed, liveSeconds: 300, siblingSeconds: 15 };
    const rpcUrls = ['http://a', 'http://b'];
    const chain = { pollSeconds: 2, finality: 'finalized' as const, rpcUrls };
    const onBase = expectedCalls({ ...base, chain, blockSeconds: 2 });
    // A poll, the logs, and a header for each of 43,200 blocks, and a poll of the other URL every 15 seconds.
    expect(onBase).toEqual({
      head: 43_200 + 5_760,
      logs: 43_200,
      headers: 43_200 + 288 * 2,
      state: 288 * 2,
      finality: 1_440,
      events: 0,
    });
    const many = expectedCalls({ ...base, stateRequests: 7, chain, blockSeconds: 2 });
    expect(many).toEqual({ ...onBase, state: 288 * 7 });
    const busy = expectedCalls({ ...base, chain, blockSeconds: 2, eventShare: 0.25 });
    expect(busy).toEqual({ ...onBase, events: (43_200 - 288) / 4 });
    // With twelve blocks per head, one block with events is enough.
    const farApart = { ...base, chain: { ...chain, pollSeconds: 24 }, blockSeconds: 2 };
    const few = expectedCalls({ ...farApart, eventShare: 0.25 });
    // Heads with a tick are confirmed in any case.
    const heads = few.logs / followed.logRequests - 288;
    expect(few.events / heads).toBeGreaterThan(0.9);
    const onEthereum = expectedCalls({ ...base, chain, blockSeconds: 12 });
    expect(onEthereum.logs).toBeCloseTo(7_200, -2);
    expect(onEthereum.head).toBeLessThan(5_760 + 3 * 7_200);
    const subscribed = { ...chain, rpcUrls: ['wss://a'] };
    const estimate = expectedCalls({ ...base, chain: subscribed, blockSeconds: 12 });
    expect(estimate).toMatchObject({ head: 7_200, logs: 7_200 });
    const idle = expectedCalls({ ...base, chain: subscribed, blockSeconds: 86_400 });
    expect(idle).toMatchObject({ head: 2_880, logs: 1, headers: 3 });
  });
});

function within20(measured: number, expected: number): void {
  expect(measured).toBeGreaterThanOrEqual(expected * 0.8);
  expect(measured).toBeLessThanOrEqual(expected * 1.2);
}
