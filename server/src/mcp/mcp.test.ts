import { createClient } from '@assay/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AgentWorld, startAgentWorld } from '../../test/agentWorld.ts';
import { connectMcp, type Generation, type McpClient } from '../../test/mcpClients.ts';
import { readOperations } from './apiOperations.ts';
import { createMcp } from './createMcp.ts';
import { type ServedMcp, serveMcpHttp } from './serveHttp.ts';

let world: AgentWorld;
let http: ServedMcp;
const errors: unknown[] = [];
beforeAll(async () => {
  world = await startAgentWorld();
  const client = createClient({ url: world.url });
  const onError = (error: unknown) => void errors.push(error);
  const operations = await readOperations(client);
  const create = createMcp({ client, operations, version: '0.0.0', onError });
  http = await serveMcpHttp({ port: 0, create, budget: undefined, onError });
}, 180_000);
afterAll(async () => {
  await http?.close();
  await world?.close();
  expect(errors).toEqual([]);
}, 60_000);

const PAID = [
  'assay_risk_search',
  'assay_risk_node',
  'assay_risk_dependencies',
  'assay_risk_schema',
];
const WAYS: readonly (readonly [Generation, 'stdio' | 'http', string])[] = [
  ['of 2026', 'stdio', '2026-07-28'],
  ['of 2026', 'http', '2026-07-28'],
  ['of 2025', 'stdio', '2025-11-25'],
  ['of 2025', 'http', '2025-11-25'],
];

describe.each(WAYS)('the official client %s over %s', (generation, way, protocol) => {
  let client: McpClient;
  beforeAll(async () => {
    const to = way === 'http' ? { url: http.url } : { args: ['--url', world.url] };
    client = await connectMcp(generation, to);
  });
  afterAll(() => client?.close());
  const wallet = () => world.served.world.wallets[0]!.address;

  test('default: at most 12 tools, each with its price, its age and what it may do', async () => {
    if (client.protocol !== undefined) expect(client.protocol).toBe(protocol);
    const tools = await client.tools();
    expect(tools.length).toBeLessThanOrEqual(12);
    for (const { name, description, annotations, outputSchema } of tools) {
      expect(name).toMatch(/^assay_[a-z_]+$/);
      const isPaid = PAID.includes(name);
      expect(annotations?.readOnlyHint, name).toBe(!isPaid);
      expect(description).toMatch(
        isPaid ? /Price: [\d.]+ USD/ : /Free\. (At most \d+ s old|Made anew each time)\.$/,
      );
      expect(outputSchema, name).toMatchObject({ type: 'object' });
    }
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(PAID));
    // A model reads all of it before its first word.
    expect(JSON.stringify(tools).length).toBeLessThan(40_000);
  });

  test('default: every free tool says what the API says', async () => {
    const walletAddress = wallet();
    const of = async (path: string) => (await fetch(`${world.url}${path}`)).json();
    const calls = [
      ['assay_vaults', {}, { vaults: await of('/v1/vaults') }],
      ['assay_vault', { slug: 'svcusd' }, await of('/v1/vaults/svcusd')],
      [
        'assay_history',
        { family: 'svcusd', limit: 3 },
        await of('/v1/history?family=svcusd&limit=3'),
      ],
      ['assay_performance', { walletAddress }, await of(`/v1/performance/${walletAddress}`)],
      [
        'assay_pending',
        { walletAddress },
        {
          redeems: await of(`/v1/users/${walletAddress}/pending-redeems`),
          deposits: await of(`/v1/users/${walletAddress}/pending-deposits`),
        },
      ],
    ] as const;
    for (const [name, args, expected] of calls) {
      const { isError, structuredContent, content } = await client.call(name, args);
      expect(isError ?? false, `${name}: ${content?.[0]?.text}`).toBe(false);
      expect(structuredContent, name).toEqual(expected);
      expect(JSON.parse(content![0]!.text!), name).toEqual(expected);
    }
    const { structuredContent } = await client.call('assay_status', {});
    expect(structuredContent).toMatchObject({ chains: [{ state: 'live' }, { state: 'live' }] });
  });

  test('behavior: a long series is a link to a resource, a short one is all there', async () => {
    const asked = { slug: 'svcusd', figure: 'tvl' };
    const short = await client.call('assay_series', { ...asked, interval: 'hour', limit: 5 });
    expect(short.structuredContent).toMatchObject({ count: 5 });
    expect(short.content).toHaveLength(1);
    const long = await client.call('assay_series', { ...asked, interval: 'raw', limit: 300 });
    const { ticks, count } = long.structuredContent as { ticks: object[]; count: number };
    const { uri } = long.content!.find(({ type }) => type === 'resource_link')!;
    const { text, mimeType } = await client.read(uri!);
    expect(mimeType).toBe('application/json');
    const all = JSON.parse(text!) as object[];
    expect(ticks).toHaveLength(100);
    expect(count).toBeGreaterThan(100);
    expect(all.length).toBeGreaterThanOrEqual(count);
    const path = '/v1/vaults/svcusd/timeseries/tvl?interval=raw&limit=5000';
    const served = (await (await fetch(`${world.url}${path}`)).json()) as object[];
    expect(all.slice(0, 3)).toEqual(served.slice(0, 3));
  });

  test('behavior: mistakes are answered with what to change', async () => {
    const unknown = await client.call('assay_vault', { slug: 'nothing' });
    expect(unknown).toMatchObject({ isError: true });
    expect(unknown.content![0]!.text).toContain('404: there is no vault family nothing');
    const misspelt = await client.call('assay_vault', { name: 'svcusd' });
    expect(misspelt).toMatchObject({ isError: true });
    expect(misspelt.content![0]!.text).toMatch(/slug|additional/);
  });

  test('default: an unpaid call says what it costs, and a paid one brings answer and receipt', async () => {
    const asked = { nodeId: 'chain:base' };
    const unpaid = await client.call('assay_risk_node', asked);
    expect(unpaid.isError).toBe(true);
    expect(unpaid.structuredContent).toMatchObject({
      x402Version: 2,
      error: 'payment_required',
      accepts: [{ amount: '50000' }],
    });
    expect(JSON.parse(unpaid.content![0]!.text!)).toEqual(unpaid.structuredContent);
    const payment = await world.pay(unpaid.structuredContent!, WAYS.findIndex(isThis));
    const paid = await client.call('assay_risk_node', asked, { 'x402/payment': payment });
    expect(paid.isError ?? false, paid.content?.[0]?.text).toBe(false);
    expect(paid.structuredContent).toMatchObject({
      id: 'chain:base',
      _riskTier: expect.stringMatching(/^[A-F]$/),
    });
    expect(paid._meta?.['x402/payment-response']).toMatchObject({
      success: true,
      network: 'eip155:8453',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const again = await client.call('assay_risk_node', asked, { 'x402/payment': payment });
    expect(again).toMatchObject({
      isError: true,
      structuredContent: { error: 'payment_already_used' },
    });
  });

  test('behavior: what is not known costs nothing, and says so', async () => {
    const asked = { nodeId: 'protocol:nothing' };
    const { structuredContent } = await client.call('assay_risk_node', asked);
    const payment = await world.pay(structuredContent!, WAYS.findIndex(isThis));
    const missing = await client.call('assay_risk_node', asked, { 'x402/payment': payment });
    expect(missing).toMatchObject({ isError: true });
    expect(missing.content![0]!.text).toMatch(/^404: /);
    expect(missing._meta?.['x402/payment-response']).toBeUndefined();
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

  function isThis([one, other]: (typeof WAYS)[number]): boolean {
    return one === generation && other === way;
  }
});
