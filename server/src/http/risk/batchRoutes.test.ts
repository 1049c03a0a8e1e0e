import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createAnswerCheck } from '../../../test/answers.ts';
import { describeAnyEngine } from '../../../test/database.ts';
import { type PaidServerOptions, startPaidServer } from '../../../test/paidServer.ts';
import {
  ask,
  base64,
  earned,
  expectPaid,
  type Reply,
  read,
  wire,
} from '../../../test/paidTestServer.ts';
import { useTokenChain } from '../../../test/paidTests.ts';
import { lower } from '../../domain/hex.ts';
import type { RiskRecord } from '../../domain/risk/record.ts';
import { applyImport } from '../../risk/import/applyImport.ts';
import { payers } from '../../store/payments/payers.ts';
import { paymentReports } from '../../store/payments/reports.ts';
import type { Store } from '../../store/store.ts';
import { agentRoutes } from './agentRoutes.ts';
import { type LiveGraph, openLiveGraph } from './liveGraph.ts';

const MAX = 20;
const [NODE_PRICE, DEPENDENCIES_PRICE] = [50_000n, 1_000_000n];
const addressOf = (i: number) => `0x${String(i + 10).repeat(20)}`;
const poolOf = (i: number) => `pool:base:${addressOf(i)}`;
const POOLS = Array.from({ length: MAX }, (_, i) => poolOf(i));
const RECORDS: readonly RiskRecord[] = [
  {
    node: {
      id: 'chain:base',
      label: 'Chain',
      facts: { name: 'Base', slug: 'base', chainId: 8453 },
    },
    edges: [],
  },
  ...POOLS.map(
    (id, i): RiskRecord => ({
      node: {
        id,
        label: 'Pool',
        facts: { name: `Pool ${i}`, chain: 'base', address: addressOf(i), tvlUsd: 1e6 + i },
      },
      edges: [{ type: 'LIVES_ON', sourceId: id, targetId: 'chain:base', weight: 1 }],
    }),
  ),
  // The same address on two chains.
  {
    node: {
      id: `pool:gnosis:${addressOf(0)}`,
      label: 'Pool',
      facts: { name: 'Other', chain: 'gnosis', address: addressOf(0) },
    },
    edges: [],
  },
];
/** Not in the order of ids: results have the order of the request. */
const MIXED = [...POOLS].sort((a, b) => (a.slice(-1) + a < b.slice(-1) + b ? 1 : -1));

const nodes = (ids: readonly string[]) => `/api/v1/agent/nodes?nodeIds=${ids.join(',')}`;
const dependencies = (ids: readonly string[]) =>
  `/api/v1/agent/dependencies/batch?nodeIds=${ids.join(',')}`;

const chain = useTokenChain({ payers: 40 });
let unused = 0;

describeAnyEngine('batchRoutes', (open) => {
  let store: Store;
  let graph: LiveGraph;
  const check = createAnswerCheck();
  beforeAll(async () => {
    store = await open();
    await applyImport({ store, source: 'curated', records: RECORDS, now: 1_770_000_000 });
    const onError = (error: unknown) => expect(error).toBeUndefined();
    graph = await openLiveGraph({ store, now: () => 0, onError });
  }, 60_000);
  afterAll(() => graph?.stop());

  async function start(payments: PaidServerOptions['payments'] = {}) {
    const server = await startPaidServer({
      store,
      chain,
      routes: agentRoutes({ graph, methodVersion: 'test' }),
      payments: { rateLimit: { perSecond: 0, burst: 1 }, escalation: null, ...payments },
    });
    onTestFinished(server.close);
    // A separate server and payer, so that no other test affects the count.
    const payer = chain.payers[unused++]!;
    const from = lower(payer.address);
    const sign = (value: bigint) => chain.pay({ from, key: payer.privateKey, value });
    const send = async (path: string, header?: string) => {
      const reply = await ask(server.url, {
        path,
        headers: header === undefined ? {} : { 'payment-signature': header },
      });
      const contentType = String(reply.headers['content-type']);
      const body = reply.body.toString();
      expect(check({ method: 'GET', url: path, status: reply.status, contentType, body })).toEqual(
        [],
      );
      return reply;
    };
    /** Pays the invoice's amount, or `value`. */
    const buy = async (path: string, value?: bigint) => {
      const payment = sign(value ?? amountOf(await send(path)));
      const header = base64(wire(chain, payment));
      return { ...(await earned(chain, () => send(path, header))), payment, header };
    };
    return { server, from, send, buy, calls: () => payers.findCalls(store, from) };
  }

  test('default: 20 nodes in the order of the request, for the sum of their prices in one settlement', async () => {
    const { send, buy, calls } = await start();
    const path = nodes(MIXED);
    expect(amountOf(await send(path))).toBe(20n * NODE_PRICE);
    const block = chain.chain.tip.number;
    const { result, earned: got, payment, header } = await buy(path);
    expectPaid(result, payment);
    expect(got).toBe(20n * NODE_PRICE);
    expect(chain.chain.tip.number - block).toBe(1);
    const sold = json(result) as { id: string }[];
    expect(sold.map(({ id }) => id)).toEqual(MIXED);
    expect(await calls()).toBe(20);
    // Each result equals the single route's response.
    const { result: one } = await buy(`/api/v1/agent/node/${MIXED[3]}`);
    expect(sold[3]).toEqual(json(one));
    // Repeating a payment is not another sale.
    const again = await earned(chain, () => send(path, header));
    expect([again.result.status, again.earned]).toEqual([402, 0n]);
    expect(await calls()).toBe(21);
  });

  test('default: dependencies of 20 pools, by ids and addresses', async () => {
    const { buy, calls } = await start();
    const named = [addressOf(7), ...MIXED.filter((id) => id !== poolOf(7))];
    const { result, earned: got, payment } = await buy(`${dependencies(named)}&chainId=8453`);
    expectPaid(result, payment);
    expect(got).toBe(20n * DEPENDENCIES_PRICE);
    const sold = json(result) as { nodeId: string; neighbors: object[] }[];
    expect(sold.map(({ nodeId }) => nodeId)).toEqual([poolOf(7), ...named.slice(1)]);
    expect(sold.every(({ neighbors }) => neighbors.length === 1)).toBe(true);
    expect(await calls()).toBe(20);
    const { result: one } = await buy(`/api/v1/agent/dependencies?nodeId=${poolOf(7)}`);
    expect(sold[0]).toEqual(json(one));
  });

  test('behavior: one id costs as much as the single route, and an empty list is quoted as one id', async () => {
    const { send, buy } = await start();
    expect(amountOf(await send(nodes(['chain:base'])))).toBe(NODE_PRICE);
    expect(amountOf(await send('/api/v1/agent/nodes'))).toBe(NODE_PRICE);
    const { result, earned: got } = await buy('/api/v1/agent/nodes');
    expect([result.status, got]).toEqual([400, 0n]);
  });

  test('error: less than the sum is not enough, and the price of one is not', async () => {
    const { buy } = await start();
    for (const value of [NODE_PRICE, 20n * NODE_PRICE - 1n, 20n * NODE_PRICE + 1n]) {
      const { result, earned: got } = await buy(nodes(MIXED), value);
      expect([result.status, got]).toEqual([402, 0n]);
      expect(json(result)).toMatchObject({ error: 'invalid_amount' });
      expect(amountOf(result)).toBe(20n * NODE_PRICE);
    }
  });

  test.each([
    ['an unknown node', nodes([...MIXED.slice(1), 'protocol:nothing']), 'protocol:nothing'],
    ['an unknown address', nodes([poolOf(1), addressOf(80)]), addressOf(80)],
    ['an unknown pool', dependencies([...MIXED.slice(1), 'pool:base:0x0']), 'pool:base:0x0'],
  ])('error: %s fails the entire request, is named, and is free', async (_, path, name) => {
    const { buy, calls } = await start();
    const { result, earned: got } = await buy(path);
    expect([result.status, got, await calls()]).toEqual([404, 0n, 0]);
    expect((json(result) as { detail: string }).detail).toContain(`: ${name}; `);
  });

  test.each([
    ['two encodings of one id', nodes([poolOf(1), poolOf(1).toUpperCase()]), 'twice'],
    ['a repeated name', dependencies([poolOf(1), poolOf(2), poolOf(1)]), 'twice'],
    ['21 ids', nodes([...MIXED, 'chain:base']), 'lists 21 nodes; the maximum is 20'],
    ['an empty name', nodes([poolOf(1), '', poolOf(2)]), 'empty name'],
    ['nothing', nodes([]), 'is empty'],
    ['two lists', `${nodes([poolOf(1)])}&nodeIds=chain:base`, 'more than once'],
  ])('error: %s is 400 before any invoice', async (_, path, reason) => {
    const { send } = await start();
    const reply = await send(path);
    expect(reply.status).toBe(400);
    expect(json(reply)).toMatchObject({ errors: [{ parameter: 'nodeIds' }] });
    expect(reply.body.toString()).toContain(reason);
  });

  test.each([
    ['an id and the address of one node', nodes([poolOf(3), addressOf(3)]), 'one node twice'],
    ['an address of several nodes', nodes([poolOf(1), addressOf(0)]), `nodes with ${addressOf(0)}`],
    ['a node other than a pool', dependencies([poolOf(1), 'chain:base']), 'chain:base is not one'],
  ])('error: %s is 400, and free', async (_, path, reason) => {
    const { buy } = await start();
    const { result, earned: got } = await buy(path);
    expect([result.status, got]).toEqual([400, 0n]);
    expect(json(result)).toMatchObject({ errors: [{ parameter: 'nodeIds' }] });
    expect(result.body.toString()).toContain(reason);
  });

  test("behavior: each id counts in the payer's limit", async () => {
    const { buy } = await start({ rateLimit: { perSecond: 0.001, burst: 22 } });
    const statuses: number[] = [];
    for (const ids of [
      MIXED,
      MIXED.slice(0, 3),
      ['chain:base'],
      MIXED.slice(0, 2),
      ['chain:base'],
    ]) {
      statuses.push((await buy(nodes(ids))).result.status);
    }
    // 20 of 22, then 3 are too many, 1, then 2 are too many, and the last one.
    expect(statuses).toEqual([200, 429, 200, 429, 200]);
    expect((await buy(nodes(['chain:base']))).result.status).toBe(429);
  });

  test("behavior: each id counts in the payer's tier, and a batch across its border pays for each by its own", async () => {
    const { buy, send, calls, from } = await start({
      escalation: { firstStepCalls: 20, factor: 5, maxFactor: 25 },
    });
    const before = await revenueOf(from);
    expect((await buy(nodes(MIXED.slice(0, 15)))).earned).toBe(15n * NODE_PRICE);
    // 5 more at the base price, then 15 at five times as much. The first invoice does not depend on a payer.
    const path = nodes(MIXED);
    expect(amountOf(await send(path))).toBe(20n * NODE_PRICE);
    const refused = await buy(path);
    expect([refused.result.status, refused.earned]).toEqual([402, 0n]);
    const sum = 5n * NODE_PRICE + 15n * 5n * NODE_PRICE;
    expect(amountOf(refused.result)).toBe(sum);
    expect((await buy(path, sum)).earned).toBe(sum);
    expect(await calls()).toBe(35);
    const { calls: reported = 0 } = (await revenueOf(from)) ?? {};
    expect(reported - (before?.calls ?? 0)).toBe(35);
  });

  async function revenueOf(payer: string) {
    const rows = await paymentReports.getRevenue(store, 'payer', 0, 4_000_000_000);
    return rows.find(({ name }) => name === payer);
  }
});

function amountOf(reply: Reply): bigint {
  expect(reply.status, reply.body.toString()).toBe(402);
  const { accepts } = read(reply.headers['payment-required']) as { accepts: { amount: string }[] };
  return BigInt(accepts[0]!.amount);
}

function json(reply: Reply): unknown {
  return JSON.parse(reply.body.toString());
}
