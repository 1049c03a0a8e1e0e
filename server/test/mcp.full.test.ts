import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeAgentDocuments } from './agentDocuments.ts';
import { agentPay } from './agentPay.ts';
import { type RunningCommand, startCommand } from './commandLine.ts';
import { describeBuying } from './mcpBuying.ts';
import { connectMcp, type Generation, type McpClient } from './mcpClients.ts';
import { describeConformance } from './mcpConformance.ts';
import { describeMcpProxies } from './mcpProxies.ts';
import { describePythonClient } from './mcpPython.ts';
import { describeSpending } from './mcpSpending.ts';
import { openReadServer, type ReadServer } from './readServer.ts';

const NODE = 'chain:base';
const TOKEN = 'only-the-operator-knows';
const BUDGET = ['--daily-usd', '0.12', '--max-usd', '0.06'];
const PAID = [
  ...['risk_search', 'risk_node', 'risk_nodes'],
  ...['risk_dependencies', 'risk_dependencies_batch', 'risk_schema'],
].map((name) => `assay_${name}`);

let server: ReadServer;
let http: RunningCommand;
let httpUrl: string;
beforeAll(async () => {
  // More than a hundred hours of data, so that a series is too long for one response.
  server = await openReadServer({ days: 6 });
  // The risk graph loads its catalog shortly after the start. Until then, a paid request for a node is free and fails.
  for (let code: number | null = 4; code === 4; await sleep(200)) {
    code = (await server.assay(`risk node ${NODE} --yes --max-usd 0.05`)).code;
  }
  const env = { ASSAY_URL: server.url, ASSAY_MCP_TOKEN: TOKEN };
  http = startCommand(['mcp', '--http', '0', ...BUDGET], env, server.folder);
  [, httpUrl = ''] = await http.says(/the MCP tools are at (\S+)/);
}, 180_000);
afterAll(async () => {
  expect(await http?.end('SIGTERM')).toBe(0);
  expect(http?.output()).toBe('');
  await server?.close();
}, 60_000);

const WAYS: readonly (readonly [Generation, 'stdio' | 'http'])[] = [
  ['of 2026', 'stdio'],
  ['of 2026', 'http'],
  ['of 2025', 'stdio'],
  ['of 2025', 'http'],
];

describe.each(WAYS)('the official client %s over %s', (generation, way) => {
  let client: McpClient;
  beforeAll(async () => {
    const stdio = { args: [], folder: server.folder, env: { ASSAY_URL: server.url } };
    client = await connectMcp(generation, way === 'http' ? { url: httpUrl } : stdio);
  });
  afterAll(() => client?.close());
  const number = WAYS.findIndex((one) => one[0] === generation && one[1] === way);
  const pay = (invoice: object) => agentPay(invoice, server.world.wallets[number + 1]!.privateKey);

  test('default: tools within 12 KB, each with its price, data age, and permissions', async () => {
    if (generation === 'of 2026') expect(client.protocol).toBe('2026-07-28');
    const tools = await client.tools();
    expect(tools).toHaveLength(20);
    for (const { name, description, annotations, outputSchema } of tools) {
      expect(name).toMatch(/^assay_[a-z_]+$/);
      const isPaid = PAID.includes(name);
      expect(annotations?.readOnlyHint, name).toBe(!isPaid);
      expect(outputSchema, name).toBeUndefined();
      if (name === 'assay_quote') continue;
      expect(description).toMatch(
        isPaid ? /Price: [\d.]+ USD/ : /Free\. (At most \d+ s old|Not cached)\.$/,
      );
    }
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(PAID));
    // A model reads the whole list before it starts.
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(12 * 1024);
  });

  test("default: every free tool returns the API's data", async () => {
    const walletAddress = server.world.wallets[0]!.address;
    const of = async (path: string) => (await fetch(`${server.url}${path}`)).json();
    const calls: readonly [name: string, args: object, read: () => Promise<unknown>][] = [
      ['assay_vaults', {}, async () => ({ vaults: await of('/v1/vaults') })],
      ['assay_vault', { slug: 'svcusd' }, () => of('/v1/vaults/svcusd')],
      ['assay_history', { user: walletAddress }, () => of(`/v1/history?user=${walletAddress}`)],
      ['assay_performance', { walletAddress }, () => of(`/v1/performance/${walletAddress}`)],
      ['assay_events', { types: 'history' }, () => of('/v1/events?types=history&limit=20')],
      ['assay_holders', { slug: 'svcusd' }, () => of('/v1/vaults/svcusd/holders')],
      [
        'assay_exits',
        { slug: 'svcusd', assets: '2500000000' },
        async () => ({
          ...((await of('/v1/vaults/svcusd/exits')) as object),
          terms: await of('/v1/vaults/svcusd/exit?assets=2500000000'),
        }),
      ],
      [
        'assay_allocation',
        { slug: 'svcusd' },
        async () => {
          const ticks = (await of('/v1/vaults/svcusd/timeseries/allocation')) as object[];
          return { ticks, count: ticks.length };
        },
      ],
      [
        'assay_ledger',
        { walletAddress },
        async () => {
          const entries = (await of(`/v1/users/${walletAddress}/ledger`)) as object[];
          return { entries: entries.slice(-100), count: entries.length };
        },
      ],
      [
        'assay_pending',
        { walletAddress },
        async () => ({
          redeems: await of(`/v1/users/${walletAddress}/pending-redeems`),
          deposits: await of(`/v1/users/${walletAddress}/pending-deposits`),
        }),
      ],
    ];
    for (const [name, args, read] of calls) {
      const { before, result } = await whileSame(read, () => client.call(name, args));
      expect(result.isError ?? false, `${name}: ${result.content?.[0]?.text}`).toBe(false);
      expect(result.structuredContent, name).toEqual(before);
      // The content is sent only once if the protocol revision lets clients rely on `structuredContent`.
      if (generation === 'of 2026') expect(result.content, name).toEqual([]);
      else expect(JSON.parse(result.content![0]!.text!), name).toEqual(before);
    }
    const { structuredContent } = await client.call('assay_status', {});
    expect(structuredContent).toMatchObject({ chains: expect.any(Array) });
  });

  test("default: compares families with the API's data of each", async () => {
    const slugs = server.world.families.slice(0, 2).map(({ slug }) => slug);
    const read = () =>
      Promise.all(
        slugs.map(async (slug) => (await fetch(`${server.url}/v1/vaults/${slug}`)).json()),
      );
    const { before, result } = await whileSame(read, () => client.call('assay_compare', { slugs }));
    const { families } = result.structuredContent as { families: Record<string, unknown>[] };
    expect(families).toHaveLength(2);
    for (const [i, vault] of (before as Record<string, Record<string, unknown>>[]).entries()) {
      const { slug, tvl, tvlUsd, apy30d, assetsPerShare, idle, pools } = families[i]!;
      expect(slug).toBe(vault.slug);
      expect({ tvl, tvlUsd, apy30d, assetsPerShare, idle }).toEqual({
        tvl: vault.stats!.tvl,
        tvlUsd: vault.stats!.tvlUsd,
        apy30d: vault.stats!.apy30d,
        assetsPerShare: vault.stats!.assetsPerShare,
        idle: vault.stats!.idle,
      });
      expect(pools).toBe((vault.stats!.pools as object[]).length);
    }
    const one = await client.call('assay_compare', { slugs: ['svcusd', 'nothing'] });
    expect(one).toMatchObject({ isError: true });
  });

  test('behavior: returns a long series as a resource link, a short one in full', async () => {
    const asked = { slug: 'svcusd', figure: 'price', interval: 'raw' };
    const short = await client.call('assay_series', { ...asked, limit: 5 });
    expect(short.structuredContent).toMatchObject({ count: 5 });
    expect(short.content).toHaveLength(generation === 'of 2026' ? 0 : 1);
    const long = await client.call('assay_series', asked);
    const { ticks, count } = long.structuredContent as { ticks: object[]; count: number };
    expect([ticks.length, count > 100]).toEqual([100, true]);
    const { uri } = long.content!.find(({ type }) => type === 'resource_link')!;
    const { text, mimeType } = await client.read(uri!);
    expect(mimeType).toBe('application/json');
    const all = JSON.parse(text!) as object[];
    expect(all.length).toBeGreaterThanOrEqual(count);
    expect(all).toEqual(expect.arrayContaining(ticks));
  });

  test('behavior: an invalid call returns what to change', async () => {
    const unknown = await client.call('assay_vault', { slug: 'nothing' });
    expect(unknown.isError).toBe(true);
    expect(unknown.content![0]!.text).toContain(
      '404: there is no such vault family; /v1/vaults lists them',
    );
    const misspelt = await client.call('assay_vault', { name: 'svcusd' });
    expect(misspelt.isError).toBe(true);
    expect(misspelt.content![0]!.text).toMatch(/slug/);
    const strange = await client.call('assay_risk_node', { nodeId: NODE }, { 'x402/payment': 7 });
    expect(strange).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  });

  test('default: an unpaid call returns the price, and a paid one the response and receipt', async () => {
    const before = await server.earned();
    const unpaid = await client.call('assay_risk_node', { nodeId: NODE });
    expect(unpaid.isError).toBe(true);
    expect(unpaid.structuredContent).toMatchObject({
      x402Version: 2,
      error: 'payment_required',
      accepts: [{ amount: '50000' }],
    });
    expect(JSON.parse(unpaid.content![0]!.text!)).toEqual(unpaid.structuredContent);
    const meta = { 'x402/payment': await pay(unpaid.structuredContent!) };
    const paid = await client.call('assay_risk_node', { nodeId: NODE }, meta);
    expect(paid.isError ?? false, paid.content?.[0]?.text).toBe(false);
    expect(paid.structuredContent).toMatchObject({ id: NODE, riskBreakdown: expect.any(Array) });
    expect(paid._meta?.['x402/payment-response']).toMatchObject({
      success: true,
      network: 'eip155:8453',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect((await server.earned()) - before).toBe(50_000n);
    const again = await client.call('assay_risk_node', { nodeId: NODE }, meta);
    expect(again).toMatchObject({
      isError: true,
      structuredContent: { error: 'payment_already_used' },
    });
    expect((await server.earned()) - before).toBe(50_000n);
  });

  test('behavior: an unknown id is not charged', async () => {
    const before = await server.earned();
    const asked = { nodeId: 'protocol:nothing' };
    const { structuredContent } = await client.call('assay_risk_node', asked);
    const meta = { 'x402/payment': await pay(structuredContent!) };
    const missing = await client.call('assay_risk_node', asked, meta);
    expect(missing.isError).toBe(true);
    expect(missing.content![0]!.text).toMatch(/^404: /);
    expect(missing._meta?.['x402/payment-response']).toBeUndefined();
    expect(await server.earned()).toBe(before);
  });

  test('behavior: methodology and due diligence', async () => {
    const { text, mimeType } = await client.read('assay://methodology');
    expect(mimeType).toBe('text/markdown');
    expect(text).toMatch(/^# How risk is graded/);
    const prompt = await client.prompt('assay_due_diligence', { slug: 'svcusd', budgetUsd: '0.2' });
    const named = [...prompt.matchAll(/assay_\w+/g)].map(([name]) => name);
    const tools = (await client.tools()).map(({ name }) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(tools).toEqual(expect.arrayContaining(named));
    expect(prompt).toContain('at most 0.2 USD');
  });
});

/** Payments mine blocks, so values can change. Repeats the work until the compared response stays the same. */
async function whileSame<Result>(read: () => Promise<unknown>, work: () => Promise<Result>) {
  for (;;) {
    const before = await read();
    const result = await work();
    if (isDeepStrictEqual(before, await read())) return { before, result };
  }
}

describeSpending(() => ({ server, httpUrl, token: TOKEN, budget: BUDGET, nodeId: NODE }));
describeBuying(() => ({ server, httpUrl, nodeId: NODE }));
describeMcpProxies(() => server);
describePythonClient(() => ({ server, httpUrl }));
describeConformance(() => httpUrl);
describeAgentDocuments(() => server);
