import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  createTestClock,
  logs,
  post,
  type Reply,
  rpc,
  type TestClock,
} from '../../test/providerChain.ts';
import { useProviders } from '../../test/providerTests.ts';
import { toQuantity } from './call.ts';
import { ARCHIVE } from './forms.ts';
import type { Profile } from './profile.ts';
import { PROFILE_NAMES, PROFILES, type ProfileName } from './profiles.ts';
import type { Provider } from './provider.ts';

/** A rejection as the facts about providers describe it: HTTP status, code, text. */
type Seen = readonly [status: number, code: number | null, text: string];

interface Expected {
  /** Calls of eth_blockNumber in a full bucket, and after this many seconds. */
  readonly rate: { calls: number; seconds: number; later: number; limited: Seen } | null;
  /** Units for logs, call, header, head near the chain's head. */
  readonly costs: readonly [number, number, number, number];
  /** The widest `to − from` that passes. */
  readonly range: { widest: number; refused: Seen };
  readonly results: { max: 10_000 | 20_000; refused: Seen } | null;
  readonly filter: { max: number; topic?: true; refused: Seen } | null;
  readonly batch: { max: number; refused: Seen } | null;
  readonly state: { deepest: number; refused: Seen } | null;
  readonly logs: { deepest: number; refused: Seen } | null;
  readonly ahead: { logs: Seen; state: Seen };
}

let clock: TestClock;
const providers = useProviders();
const chain = providers.chain;

/** Without random faults, and with the first endpoint alone. */
async function serve(name: ProfileName, change: Partial<Profile> = {}): Promise<Provider> {
  clock = createTestClock();
  const { lag: _, ...node } = PROFILES[name].nodes[0];
  const profile = { ...PROFILES[name], faults: [], nodes: [node] as const, ...change };
  return providers.serve(profile, { clock });
}

function expectRefusal(reply: Reply, [status, code, text]: Seen): void {
  expect(reply.status).toBe(status);
  if (code === null) expect(reply.text).toBe(text);
  else expect(reply.body).toMatchObject({ id: 1, error: { code, message: text } });
}

async function expectLogs(url: string, request: object, count?: number): Promise<void> {
  const { status, body } = await post(url, request);
  expect(status).toBe(200);
  const { result } = body as { result: unknown[] };
  expect(result).toBeInstanceOf(Array);
  if (count !== undefined) expect(result.length).toBe(count);
}

const HEAD = 120_044;
const NEXT = HEAD + 1;
const hashOf = (block: number) => block.toString(16).padStart(64, '0');
const missing = (block: number): Seen => [
  200,
  -32000,
  `missing trie node ${hashOf(block)} (path ) state ${hashOf(block)} is not available`,
];
const BATCH_TOO_LARGE: Seen = [200, -32600, 'batch too large'];
const HEADER_NOT_FOUND: Seen = [200, -32000, 'header not found'];
const BEYOND: Seen = [200, -32602, 'block range extends beyond current head block'];
const BEYOND_RETH: Seen = [200, -32602, `${BEYOND[2]}: requested ${NEXT}, head ${HEAD}`];
const ALCHEMY_AHEAD: Seen = [200, -32603, `Block ${NEXT} not processed yet. Please try again.`];
const TOKEN: Seen = [
  403,
  -32602,
  'Archive requests require a personal token. Get one at: https://www.allnodes.com/publicnode',
];
const TEN_THOUSAND: Seen = [200, -32005, 'query returned more than 10000 results'];
const UNKNOWN_BLOCK: Seen = [400, 26, 'Unknown block'];

const EXPECTED: Record<ProfileName, Expected> = {
  'alchemy-free': {
    rate: {
      ...{ calls: 500, seconds: 1, later: 50 },
      limited: [
        429,
        429,
        'Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message.',
      ],
    },
    costs: [60, 26, 20, 10],
    range: {
      widest: 9,
      refused: [
        400,
        -32600,
        'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x64, 0x6d]. Upgrade to PAYG for expanded block range.',
      ],
    },
    results: null,
    filter: null,
    batch: { max: 1_000, refused: BATCH_TOO_LARGE },
    state: null,
    logs: null,
    ahead: { logs: ALCHEMY_AHEAD, state: ALCHEMY_AHEAD },
  },
  'infura-free': {
    rate: { calls: 6, seconds: 1, later: 6, limited: [429, 429, 'Too Many Requests'] },
    costs: [255, 80, 80, 80],
    range: { widest: 10_000, refused: [200, -32602, 'range 10001 exceeds limit of 10000'] },
    results: { max: 10_000, refused: TEN_THOUSAND },
    filter: {
      ...{ max: 5_000, topic: true },
      refused: [200, -32602, 'This query contains 5001 filters. The current limit is 5000.'],
    },
    batch: { max: 100, refused: BATCH_TOO_LARGE },
    state: null,
    logs: null,
    ahead: { logs: BEYOND, state: HEADER_NOT_FOUND },
  },
  'ankr-freemium': {
    rate: { calls: 1_800, seconds: 1, later: 30, limited: [429, null, ''] },
    costs: [1, 1, 1, 1],
    range: { widest: 2_999, refused: [200, -32600, 'block range is too wide'] },
    results: null,
    filter: null,
    batch: {
      max: 100,
      refused: [
        200,
        -32600,
        'batch limit 100 exceeded (can increase by --rpc.batch.limit). Requested batch of size: 101',
      ],
    },
    state: null,
    logs: null,
    ahead: {
      logs: [200, -32000, 'requested block range is in the future'],
      state: HEADER_NOT_FOUND,
    },
  },
  'chainstack-free': {
    rate: { calls: 250, seconds: 1, later: 25, limited: [429, -32005, 'rate limit exceeded'] },
    costs: [1, 1, 1, 1],
    range: {
      widest: 99,
      refused: [
        200,
        -32602,
        'Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits#evm-range-limits.',
      ],
    },
    results: {
      max: 10_000,
      refused: [200, -32000, 'logs matched by query exceeds limit of 10000'],
    },
    filter: null,
    batch: { max: 100, refused: BATCH_TOO_LARGE },
    state: { deepest: 128, refused: missing(HEAD - 129) },
    logs: null,
    ahead: { logs: BEYOND, state: HEADER_NOT_FOUND },
  },
  'base-public': {
    rate: { calls: 5, seconds: 30, later: 5, limited: [429, -32016, 'over rate limit'] },
    costs: [1, 1, 1, 1],
    range: {
      widest: 2_000,
      refused: [413, -32614, 'eth_getLogs is limited to a 2,000 range'],
    },
    results: { max: 10_000, refused: [500, -32020, 'backend response too large'] },
    filter: null,
    batch: { max: 10, refused: [413, -32014, 'too many RPC calls in batch request'] },
    state: null,
    logs: null,
    ahead: {
      logs: BEYOND_RETH,
      state: [200, -32001, `request beyond head block: requested ${NEXT}, head ${HEAD}`],
    },
  },
  publicnode: {
    rate: {
      ...{ calls: 50, seconds: 1, later: 50 },
      limited: [
        200,
        -32005,
        'Rate limit exceeded. To obtain higher limits, please request a personal token or a dedicated node: https://www.allnodes.com/publicnode',
      ],
    },
    costs: [1, 1, 1, 1],
    range: {
      widest: 4_999,
      refused: [200, -32000, 'exceed maximum block range: 5000'],
    },
    results: {
      max: 10_000,
      refused: [200, -32005, 'query returns too many logs, narrow your filter: 10000'],
    },
    filter: null,
    batch: { max: 100, refused: BATCH_TOO_LARGE },
    state: { deepest: 128, refused: TOKEN },
    logs: { deepest: 128, refused: TOKEN },
    ahead: { logs: BEYOND, state: HEADER_NOT_FOUND },
  },
  'reth-pruned': {
    rate: null,
    costs: [1, 1, 1, 1],
    range: { widest: 99_999, refused: [200, -32602, 'query exceeds max block range 100000'] },
    results: {
      max: 20_000,
      refused: [200, -32602, 'query exceeds max results 20000, retry with the range 120003-120003'],
    },
    filter: {
      max: 1_000,
      refused: [200, -32000, 'exceed max addresses or topics per search position'],
    },
    batch: null,
    state: {
      deepest: 10_064,
      refused: [200, -32000, `state at block #${HEAD - 10_065} is pruned`],
    },
    logs: {
      deepest: 100_000,
      refused: [
        200,
        4444,
        `pruned history unavailable: requested ${HEAD - 100_001}, earliest available ${HEAD - 100_000}`,
      ],
    },
    ahead: {
      logs: BEYOND_RETH,
      state: [
        200,
        -32000,
        `state at block #${NEXT} is not available, block has not been executed yet (latest executed: #${HEAD})`,
      ],
    },
  },
  'balanced-lossy': {
    rate: {
      ...{ calls: 100, seconds: 1, later: 100 },
      limited: [429, 15, 'You reached Public endpoint rate limit, please upgrade to paid plan'],
    },
    costs: [20, 20, 20, 20],
    range: {
      widest: 9_999,
      refused: [400, 35, 'ranges over 10000 blocks are not supported on free plan'],
    },
    results: { max: 10_000, refused: TEN_THOUSAND },
    filter: null,
    batch: {
      max: 3,
      refused: [200, 31, 'Batch of more than 3 requests are not allowed on free plan'],
    },
    state: null,
    logs: {
      deepest: 50_000,
      refused: [400, 35, 'ranges over 10000 blocks are not supported on free plan'],
    },
    ahead: { logs: UNKNOWN_BLOCK, state: UNKNOWN_BLOCK },
  },
};

test('default: the README lists every profile', async () => {
  const text = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(PROFILE_NAMES);
});

describe.each(PROFILE_NAMES)('%s', (name) => {
  const expected = EXPECTED[name];

  test('default: responses within the limits equal the target’s', async () => {
    const { url } = await serve(name, { rate: null });
    expect(chain().head).toBe(HEAD);
    const requests = [
      rpc('eth_chainId', [], 'a'),
      rpc('eth_getBalance', [chain().holder, toQuantity(HEAD - 1)]),
      rpc('eth_getBlockByNumber', [toQuantity(HEAD - 30), false]),
      rpc('eth_getBlockByNumber', ['latest', true]),
      rpc('eth_call', [{ to: chain().holder, data: '0x' }, 'latest']),
      rpc('no_such_method'),
    ];
    for (const request of requests) {
      expect((await post(url, request)).body).toEqual((await post(chain().url, request)).body);
    }
    const request = logs(HEAD - 3, HEAD);
    const { result } = (await post(chain().url, request)).body as { result: object[] };
    expect(result.length).toBe(4);
    expect((await post(url, request)).body).toMatchObject({ id: 1, result });
  });

  test('behavior: costs', async () => {
    const provider = await serve(name);
    const requests = [
      logs(HEAD - 1, HEAD),
      rpc('eth_call', [{ to: chain().holder }, 'latest']),
      rpc('eth_getBlockByNumber', ['latest', false]),
      rpc('eth_blockNumber'),
    ];
    const units: number[] = [];
    for (const request of requests) {
      const before = provider.counts().units;
      expect((await post(provider.url, request)).body).toHaveProperty('result');
      units.push(provider.counts().units - before);
      clock.advance(60);
    }
    expect(units).toEqual(expected.costs);
  });

  test('behavior: rate', async () => {
    const provider = await serve(name);
    if (expected.rate === null) {
      const all = await post(provider.url, Array<object>(2_000).fill(rpc('eth_blockNumber')));
      expect((all.body as object[]).filter((item) => 'result' in item).length).toBe(2_000);
      return;
    }
    const { calls, seconds, later, limited } = expected.rate;
    expect(await countPassing(provider, calls)).toBe(calls);
    const units = provider.counts().units;
    expectRefusal(await post(provider.url, rpc('eth_blockNumber')), limited);
    expect(provider.counts().units).toBe(units);
    expect(provider.counts().methods.eth_blockNumber).toMatchObject({
      answered: calls,
      limited: 1,
    });
    clock.advance(seconds - 0.001);
    expect(await countPassing(provider, 1)).toBe(name === 'base-public' ? 0 : 1);
    clock.advance(86_400);
    await countPassing(provider, calls);
    if (name === 'base-public') await countPassing(provider, 1);
    clock.advance(seconds);
    expect(await countPassing(provider, later + 1)).toBe(later);
  });

  test('behavior: range', async () => {
    const nodes = [{ depth: ARCHIVE }] as const;
    const { url } = await serve(name, { rate: null, nodes });
    const { widest, refused } = expected.range;
    const from = { 'alchemy-free': 100, 'balanced-lossy': HEAD - 20_000 }[name as string] ?? 200;
    const filter = { address: chain().holder };
    await expectLogs(url, logs(from, from + widest, filter));
    expectRefusal(await post(url, logs(from, from + widest + 1, filter)), refused);
  });

  if (expected.results)
    test('behavior: results', async () => {
      const { url } = await serve(name, { rate: null });
      const { max, refused } = expected.results!;
      const block = chain().dense(max);
      await expectLogs(url, logs(block, block), max);
      expectRefusal(await post(url, logs(block, block + 1)), refused);
    });

  if (expected.filter)
    test('behavior: addresses', async () => {
      const { url } = await serve(name, { rate: null });
      const { max, topic, refused } = expected.filter!;
      const filterOf = (count: number) => {
        const hexes = (length: number, digits: number) =>
          Array.from({ length }, (_, index) => `0x${index.toString(16).padStart(digits, '0')}`);
        if (!topic) return { address: hexes(count, 40) };
        return { address: hexes(count - 1, 40), topics: [null, hexes(1, 64)] };
      };
      await expectLogs(url, logs(HEAD - 1, HEAD, filterOf(max)));
      expectRefusal(await post(url, logs(HEAD - 1, HEAD, filterOf(max + 1))), refused);
    });

  if (expected.batch)
    test('behavior: batch', async () => {
      const { url } = await serve(name, { rate: null });
      const { max, refused } = expected.batch!;
      const items = (count: number) =>
        Array.from({ length: count }, (_, index) => rpc('eth_chainId', [], index));
      expect((await post(url, items(max))).body).toEqual(
        items(max).map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x2105' })),
      );
      const [status, code, message] = refused;
      const reply = await post(url, items(max + 1));
      expect(reply.status).toBe(status);
      expect(reply.body).toEqual(
        name === 'balanced-lossy'
          ? items(max + 1).map(({ id }) => ({ jsonrpc: '2.0', id, error: { code, message } }))
          : { jsonrpc: '2.0', id: null, error: { code, message } },
      );
    });

  test('behavior: depth of state', async () => {
    const { url } = await serve(name, { rate: null });
    const read = (block: number) => rpc('eth_getBalance', [chain().holder, toQuantity(block)]);
    const deepest = expected.state?.deepest ?? HEAD - 1;
    expect((await post(url, read(HEAD - deepest))).body).toHaveProperty('result');
    if (!expected.state) return;
    expectRefusal(await post(url, read(HEAD - deepest - 1)), expected.state.refused);
  });

  test('behavior: depth of logs', async () => {
    const { url } = await serve(name, { rate: null });
    const deepest = expected.logs?.deepest ?? HEAD - 1;
    await expectLogs(url, logs(HEAD - deepest, HEAD - deepest), 0);
    if (!expected.logs) return;
    const refused = await post(url, logs(HEAD - deepest - 1, HEAD - deepest - 1));
    expectRefusal(refused, expected.logs.refused);
  });

  test('behavior: beyond the head', async () => {
    const { url } = await serve(name, { rate: null });
    expectRefusal(await post(url, logs(HEAD - 1, NEXT)), expected.ahead.logs);
    const state = rpc('eth_getBalance', [chain().holder, toQuantity(NEXT)]);
    expectRefusal(await post(url, state), expected.ahead.state);
    const header = rpc('eth_getBlockByNumber', [toQuantity(NEXT), false]);
    expect((await post(url, header)).body).toEqual({ jsonrpc: '2.0', id: 1, result: null });
  });

  async function countPassing(provider: Provider, calls: number): Promise<number> {
    const before = provider.counts().methods.eth_blockNumber?.answered ?? 0;
    const size = PROFILES[name].batch?.max ?? calls;
    for (let left = calls; left > 0; left -= size) {
      const batch = Array<object>(Math.min(left, size)).fill(rpc('eth_blockNumber'));
      await post(provider.url, batch);
    }
    return provider.counts().methods.eth_blockNumber!.answered - before;
  }
});
