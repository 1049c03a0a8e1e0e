import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { getAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAnswerCheck } from '../../../test/answers.ts';
import { describeAnyEngine } from '../../../test/database.ts';
import { type PaidServer, startPaidServer } from '../../../test/paidServer.ts';
import { createTokenChain, type TokenChain } from '../../../test/tokenChain.ts';
import type { RiskRecord } from '../../domain/risk/record.ts';
import { applyImport } from '../../risk/import/applyImport.ts';
import { agentRoutes } from './agentRoutes.ts';
import { type LiveGraph, openLiveGraph } from './liveGraph.ts';

const TOKEN = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const POOL = `pool:base:0x${'1a'.repeat(20)}`;
const SOLANA_TOKEN = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const MARKET = `0x${'5e'.repeat(32)}`;
const SHARED = `0x${'2b'.repeat(20)}`;
const VAULT = `0x${'3c'.repeat(20)}`;
const edge = (type: 'LIVES_ON' | 'OPERATED_BY' | 'ACCEPTS_DEPOSITS_IN', targetId: string) => ({
  type,
  sourceId: POOL,
  targetId,
  weight: 1,
});
const RECORDS: readonly RiskRecord[] = [
  {
    node: {
      id: 'chain:base',
      label: 'Chain',
      facts: { name: 'Base', slug: 'base', chainId: 8453, tvlUsd: 5e9 },
    },
    edges: [],
  },
  {
    node: {
      id: 'protocol:alpha',
      label: 'Protocol',
      facts: {
        name: 'Alpha Markets',
        slug: 'alpha',
        chains: ['base', 'ethereum'],
        tvlUsd: 2e8,
        audits: { status: 'reports', reports: 3 },
      },
    },
    edges: [],
  },
  {
    node: {
      id: `asset:base:${TOKEN}`,
      label: 'Asset',
      facts: {
        name: 'USD Coin',
        symbol: 'USDC',
        chain: 'base',
        address: TOKEN,
        marketCapUsd: 6e10,
      },
    },
    edges: [],
  },
  {
    node: {
      id: `asset:solana:${SOLANA_TOKEN.toLowerCase()}`,
      label: 'Asset',
      facts: {
        name: 'Solana Dollar',
        chain: 'solana',
        address: SOLANA_TOKEN,
        uniqueKey: 'sol-usd',
      },
    },
    edges: [],
  },
  {
    node: {
      id: `pool:base:${MARKET}`,
      label: 'Pool',
      facts: { name: 'Isolated Market', chain: 'base', uniqueKey: MARKET },
    },
    edges: [],
  },
  {
    node: {
      id: POOL,
      label: 'Pool',
      facts: { name: 'Alpha USDC', chain: 'base', address: POOL.slice(10), tvlUsd: 1e8 },
    },
    edges: [
      edge('LIVES_ON', 'chain:base'),
      edge('OPERATED_BY', 'protocol:alpha'),
      edge('ACCEPTS_DEPOSITS_IN', `asset:base:${TOKEN}`),
    ],
  },
  ...sharedKeys(),
];

/**
 * One address on two chains, one shared by a pool and its token, a key equal to an address, and two nodes with one
 * slug.
 */
function sharedKeys(): RiskRecord[] {
  const pool = (chain: string, address: string, facts: object): RiskRecord['node'] => ({
    id: `pool:${chain}:${address}`,
    label: 'Pool',
    facts: { name: `Zebra ${chain}`, chain, address, ...facts },
  });
  const nodes: RiskRecord['node'][] = [
    { id: 'chain:gnosis', label: 'Chain', facts: { name: 'Gnosis', slug: 'gnosis', chainId: 100 } },
    { id: 'protocol:gnosis', label: 'Protocol', facts: { name: 'Gnosis', slug: 'gnosis' } },
    pool('base', SHARED, {}),
    pool('gnosis', SHARED, {}),
    pool('base', VAULT, { uniqueKey: 'Zebra-Vault-1' }),
    {
      id: `asset:base:${VAULT}`,
      label: 'Asset',
      facts: { name: 'Zebra Share', chain: 'base', address: VAULT },
    },
  ];
  return nodes.map((node) => ({ node, edges: [] }));
}

/** Text that no response may contain: the letter is the only risk value. */
const SECRETS = /hazard|probabilit|"score"|riskScore|"weight"|coverage|inputHash/i;

let chain: TokenChain;
beforeAll(async () => {
  chain = await createTokenChain({ payers: 2 });
}, 60_000);
afterAll(() => chain?.close());

describeAnyEngine('agentRoutes', (open) => {
  let graph: LiveGraph;
  let server: PaidServer;
  let pay: typeof fetch;
  const check = createAnswerCheck();

  beforeAll(async () => {
    const store = await open();
    await applyImport({ store, source: 'curated', records: RECORDS, now: 1_770_000_000 });
    graph = await openLiveGraph({
      store,
      now: () => 0,
      onError: (error) => expect(error).toBeUndefined(),
    });
    server = await startPaidServer({
      store,
      chain,
      routes: agentRoutes({ graph, methodVersion: 'test' }),
      payments: { rateLimit: { perSecond: 0, burst: 1 } },
    });
    const scheme = new ExactEvmScheme(privateKeyToAccount(chain.payers[0]!.privateKey));
    pay = wrapFetchWithPaymentFromConfig(fetch, {
      schemes: [{ network: 'eip155:8453', client: scheme }],
    });
  }, 60_000);
  afterAll(async () => {
    await server?.close();
    await graph?.stop();
  });

  /** Checks the quote and the paid response against the document, and returns the price. */
  async function get(url: string) {
    const quoted = await fetch(server.url + url);
    expect(quoted.status, url).toBe(402);
    expect(check(await seen('GET', url, quoted))).toEqual([]);
    const before = await chain.balance(chain.terms.payTo);
    const response = await pay(server.url + url);
    const answer = await seen('GET', url, response);
    expect(check(answer)).toEqual([]);
    expect(answer.body).not.toMatch(SECRETS);
    const cost = (await chain.balance(chain.terms.payTo)) - before;
    return { status: response.status, body: JSON.parse(answer.body), cost };
  }

  test('default: the data model', async () => {
    const { status, body, cost } = await get('/api/v1/agent/schema');
    expect({ status, cost }).toEqual({ status: 200, cost: 1_000n });
    expect(body.grades).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    expect(body.methodVersion).toBe('test');
    expect(body.nodeTypes.map(({ label }: { label: string }) => label)).toEqual([
      'Pool',
      'Asset',
      'Protocol',
      'Chain',
    ]);
    expect(body.edgeTypes).toContainEqual({ type: 'OPERATED_BY', from: 'Pool', to: 'Protocol' });
  });

  test.each([
    ['a name', 'q=alpha+usdc', [POOL]],
    ['a prefix, largest first', 'q=alpha', ['protocol:alpha', POOL]],
    [
      'an address in any case',
      `q=${TOKEN.toUpperCase().replace('X', 'x')}`,
      [`asset:base:${TOKEN}`],
    ],
    ['a typing mistake', 'q=alhpa&label=Protocol', ['protocol:alpha']],
    ['a label', 'q=usdc&label=Asset', [`asset:base:${TOKEN}`]],
    ['a value', 'q=alpha&tvl=%3C2e8', [POOL]],
    ['a text without hits, which is charged too', 'q=zzzzqqqq', []],
  ])('behavior: searches by %s', async (_, query, ids) => {
    const { status, body, cost } = await get(`/api/v1/agent/search?${query}`);
    expect({ status, cost }).toEqual({ status: 200, cost: 1_000n });
    expect(body.map(({ id }: { id: string }) => id)).toEqual(ids);
    for (const hit of body) expect(Object.keys(hit)).not.toContain('_riskTier');
  });

  test('behavior: a hit has the value and the address or key of its kind', async () => {
    const { body } = await get('/api/v1/agent/search?q=alpha');
    expect(body).toEqual([
      {
        id: 'protocol:alpha',
        label: 'Protocol',
        name: 'Alpha Markets',
        network: 'multichain',
        tvlUsd: 2e8,
        uniqueKey: 'alpha',
      },
      {
        id: POOL,
        label: 'Pool',
        name: 'Alpha USDC',
        network: 'base',
        tvlUsd: 1e8,
        address: getAddress(POOL.slice(10)),
      },
    ]);
    const { body: assets } = await get('/api/v1/agent/search?q=usd%20coin');
    expect(assets[0]).toMatchObject({ marketCapUsd: 6e10, address: getAddress(TOKEN) });
  });

  test.each([
    // An address of any chain, as it is written there; by its own name in any case.
    [SOLANA_TOKEN.toLowerCase(), { address: SOLANA_TOKEN, uniqueKey: undefined }],
    ['solana dollar', { address: SOLANA_TOKEN, uniqueKey: undefined }],
    [MARKET, { address: undefined, uniqueKey: MARKET }],
  ])('behavior: a hit for %s has an address if one exists', async (q, place) => {
    const { body } = await get(`/api/v1/agent/search?q=${encodeURIComponent(q)}`);
    expect(body).toHaveLength(1);
    const { address, uniqueKey } = body[0];
    expect({ address, uniqueKey }).toEqual(place);
  });

  test('behavior: a grade filter applies without revealing the grade', async () => {
    const { body: node } = await get(`/api/v1/agent/node/${POOL}`);
    const tier = node._riskTier as string;
    const { body: same } = await get(`/api/v1/agent/search?q=alpha+usdc&grade=${tier}`);
    expect(same).toHaveLength(1);
    const { body: better } = await get(`/api/v1/agent/search?q=alpha+usdc&grade=%3C${tier}`);
    expect(better).toHaveLength(0);
  });

  test('behavior: a node, by its id in any case and encoding', async () => {
    const { status, body, cost } = await get(
      `/api/v1/agent/node/${POOL.toUpperCase().replaceAll(':', '%3A')}`,
    );
    expect({ status, cost }).toEqual({ status: 200, cost: 50_000n });
    expect(Object.keys(body)).toEqual(['id', 'labels', 'properties', '_riskTier', 'riskBreakdown']);
    expect(body).toMatchObject({ id: POOL, labels: ['Pool'], properties: { tvlUsd: 1e8 } });
    expect(body.riskBreakdown.at(-1).question).toBe('Why this grade?');
  });

  test.each([
    ['an address', getAddress(POOL.slice(10)), POOL],
    ['an address in lower case', POOL.slice(10), POOL],
    ['an address of another kind of chain', SOLANA_TOKEN, `asset:solana:${SOLANA_TOKEN}`],
    ['an address and a chain', `${SHARED}?chainId=100`, `pool:gnosis:${SHARED}`],
    ['a unique key', MARKET.toUpperCase().replace('X', 'x'), `pool:base:${MARKET}`],
    ['a unique key of a node that has an address', 'zebra-vault-1', `pool:base:${VAULT}`],
    ['the key of a protocol', 'Alpha', 'protocol:alpha'],
    ['the key of a chain', 'base', 'chain:base'],
    ['a key and a chain', 'gnosis?chainId=100', 'chain:gnosis'],
    ['an id, with any chain', `${POOL}?chainId=100`, POOL],
  ])('behavior: a node by %s', async (_, name, id) => {
    const { status, body, cost } = await get(`/api/v1/agent/node/${name}`);
    expect({ status, id: body.id, cost }).toEqual({
      status: 200,
      id: id.toLowerCase(),
      cost: 50_000n,
    });
  });

  test('behavior: finds a node by any key of a hit', async () => {
    for (const q of ['alpha', 'usd+coin', 'solana+dollar', 'isolated', 'zebra']) {
      const { body: hits } = await get(`/api/v1/agent/search?q=${q}`);
      expect(hits).not.toEqual([]);
      for (const { id, address, uniqueKey } of hits) {
        const { status, body, cost } = await get(`/api/v1/agent/node/${address ?? uniqueKey}`);
        if (status === 200) expect({ id: body.id, cost }).toEqual({ id, cost: 50_000n });
        else expect({ status, cost }).toEqual({ status: 400, cost: 0n });
        if (status !== 200) expect(body.candidates).toContain(id);
      }
    }
  });

  test.each([
    ['an address', POOL.slice(10), POOL],
    ['an address and a chain', `${SHARED}&chainId=8453`, `pool:base:${SHARED}`],
    ['an address that its token has too', VAULT, `pool:base:${VAULT}`],
    ['a unique key', MARKET, `pool:base:${MARKET}`],
  ])('behavior: dependencies of a pool by %s', async (_, name, id) => {
    const { status, body, cost } = await get(`/api/v1/agent/dependencies?nodeId=${name}`);
    expect({ status, id: body.nodeId, cost }).toEqual({ status: 200, id, cost: 1_000_000n });
  });

  test.each([
    [`node/${SHARED}`, [`pool:base:${SHARED}`, `pool:gnosis:${SHARED}`]],
    [`dependencies?nodeId=${SHARED}`, [`pool:base:${SHARED}`, `pool:gnosis:${SHARED}`]],
    [`node/${VAULT}`, [`pool:base:${VAULT}`, `asset:base:${VAULT}`]],
    [`node/${VAULT}?chainId=8453`, [`pool:base:${VAULT}`, `asset:base:${VAULT}`]],
    ['node/gnosis', ['chain:gnosis', 'protocol:gnosis']],
  ])('error: %s lists the nodes that it can mean, and is free', async (url, candidates) => {
    const { status, body, cost } = await get(`/api/v1/agent/${url}`);
    expect({ status, cost }).toEqual({ status: 400, cost: 0n });
    expect(body.candidates).toEqual(candidates);
    expect(body.errors).toEqual([{ parameter: 'nodeId', reason: expect.any(String) }]);
    for (const id of candidates) expect(body.detail).toContain(id);
  });

  test('behavior: the direct dependencies of a pool', async () => {
    const { status, body, cost } = await get(`/api/v1/agent/dependencies?nodeId=${POOL}`);
    expect({ status, cost }).toEqual({ status: 200, cost: 1_000_000n });
    const lastUpdatedAt = '2026-02-02T02:40:00.000Z';
    expect(body.edges).toEqual(
      [
        ['ACCEPTS_DEPOSITS_IN', `asset:base:${TOKEN}`],
        ['LIVES_ON', 'chain:base'],
        ['OPERATED_BY', 'protocol:alpha'],
      ].map(([type, targetId]) => ({
        type,
        sourceId: POOL,
        targetId,
        properties: {},
        lastUpdatedAt,
      })),
    );
    for (const neighbor of body.neighbors) {
      expect(neighbor).toMatchObject({
        lastUpdatedAt,
        _riskTier: expect.stringMatching(/^[A-F]$/),
      });
    }
    expect(body.neighbors).toHaveLength(3);
  });

  test.each([
    ['/api/v1/agent/node/protocol:unknown', 404, undefined],
    ['/api/v1/agent/node/%00', 400, 'nodeId'],
    [`/api/v1/agent/node/0x${'99'.repeat(20)}`, 404, undefined],
    [`/api/v1/agent/node/${SHARED}?chainId=1`, 404, undefined],
    [`/api/v1/agent/node/${SHARED}?chainId=base`, 400, 'chainId'],
    [`/api/v1/agent/node/${TOKEN.replace('fcd', 'FCd')}`, 400, 'nodeId'],
    [`/api/v1/agent/dependencies?nodeId=${TOKEN}`, 400, 'nodeId'],
    [`/api/v1/agent/dependencies?nodeId=0x${'99'.repeat(20)}`, 404, undefined],
    ['/api/v1/agent/dependencies', 400, 'nodeId'],
    ['/api/v1/agent/dependencies?nodeId=', 400, 'nodeId'],
    ['/api/v1/agent/dependencies?nodeId=protocol:alpha', 400, 'nodeId'],
    ['/api/v1/agent/dependencies?nodeId=pool:base:0x0', 404, undefined],
    ['/api/v1/agent/search', 400, 'q'],
    ['/api/v1/agent/search?q=', 400, 'q'],
    ['/api/v1/agent/search?q=%20%20', 400, 'q'],
    ['/api/v1/agent/search?q=us*', 400, 'q'],
    ['/api/v1/agent/search?q=us%25', 400, 'q'],
    ['/api/v1/agent/search?q=a&q=b', 400, 'q'],
    [`/api/v1/agent/search?q=${TOKEN.replace('fcd', 'FCd')}`, 400, 'q'],
    [`/api/v1/agent/search?q=${'a'.repeat(129)}`, 400, 'q'],
    ['/api/v1/agent/search?q=%FF', 400, 'q'],
    ['/api/v1/agent/search?q=a&label=pool', 400, 'label'],
    ['/api/v1/agent/search?q=a&limit=0', 400, 'limit'],
    ['/api/v1/agent/search?q=a&limit=11', 400, 'limit'],
    ['/api/v1/agent/search?q=a&limit=1.5', 400, 'limit'],
    ['/api/v1/agent/search?q=a&tvl=5e8', 400, 'tvl'],
    ['/api/v1/agent/search?q=a&tvl=%3E', 400, 'tvl'],
    ['/api/v1/agent/search?q=a&grade=G', 400, 'grade'],
    ['/api/v1/agent/search?q=a&grade=%3D%3DA', 400, 'grade'],
  ])('error: %s is free', async (url, status, parameter) => {
    const answer = await get(url);
    expect({ status: answer.status, cost: answer.cost }).toEqual({ status, cost: 0n });
    if (parameter !== undefined) {
      expect(answer.body.errors.map((error: { parameter: string }) => error.parameter)).toEqual([
        parameter,
      ]);
    }
  });
});

async function seen(method: string, url: string, response: Response) {
  return {
    method,
    url,
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: await response.text(),
  };
}
