import { describe, expect, onTestFinished, test } from 'vitest';
import { lower } from '../src/domain/hex.ts';
import { createPaymentChain } from '../src/payments/chain/chainReads.ts';
import { createNodes } from '../src/payments/chain/nodes.ts';
import { createEmbeddedFacilitator } from '../src/payments/facilitator/embedded.ts';
import { createRandom } from './activity.ts';
import { createCommonNode } from './commonNode.ts';
import { createDatabase } from './database.ts';
import { hireAttackers } from './economy/attackers.ts';
import type { Market } from './economy/market.ts';
import { openNaiveShop } from './economy/naive.ts';
import { createFaultyRpc } from './faultyRpc.ts';
import { createHostile, type Hostile } from './hostile/hostile.ts';
import { GAS } from './paidServer.ts';
import { expectPaid, header, openPaidTestServer, type PaidTestServer } from './paidTestServer.ts';
import { useResource, useTokenChain } from './paidTests.ts';

const LIMITS = {
  ...GAS,
  payerPerHour: 500_000n,
  lostPerHour: 300_000n,
  plainLostPerHour: 150_000n,
};
const NO_LIMITS = {
  ...GAS,
  payerPerHour: 10n ** 18n,
  lostPerHour: 10n ** 18n,
  plainLostPerHour: 10n ** 18n,
  waitSeconds: 0,
};
/** Gas of a failed settlement for a plain key; 58,791 units were measured. */
const FAILURE = 65_000n;
const ROUNDS = 5;

const chain = useTokenChain({ payers: 2, prague: true });
const common = useResource(() => createCommonNode(chain));
const node = useResource(() => createFaultyRpc({ target: common.url }));
const hostile = useResource<Hostile & { close(): void }>(async () => ({
  ...(await createHostile(chain)),
  close: () => {},
}));
let markets = 0;

/** Opens a server with a separate ledger. */
async function open(
  gas: typeof GAS,
  meanwhile: Market['meanwhile'] = new Map(),
): Promise<PaidTestServer> {
  const database = await createDatabase('pglite');
  const shop = await openPaidTestServer({
    store: await database.open(),
    chain,
    rpcUrl: node.url,
    answer: async ({ path }) => {
      await meanwhile.get(path.nodeId!)?.();
      return path;
    },
    payments: { gas },
  });
  onTestFinished(async () => {
    await shop.close();
    await database.drop();
  });
  return shop;
}

function openMarket(
  shop: Pick<PaidTestServer, 'buy'>,
  meanwhile: Market['meanwhile'] = new Map(),
): Market {
  const signed = new Map();
  return {
    ...{ chain, shop, node, hostile, signed, meanwhile },
    name: `attacks ${markets++}`,
    remember: (payment) => {
      signed.set(payment.authorization.nonce, payment);
      return payment;
    },
    sign: (fields) => chain.pay(fields),
    random: createRandom(3009),
    answered: new Set(),
    struck: {},
  };
}

/** Runs the attack's rounds; returns how often it was carried out. */
async function attack(market: Market, name: string): Promise<number> {
  const one = (await hireAttackers(market))[name]!;
  for (let round = 0; round < ROUNDS; round++) await one(round);
  return market.struck[name] ?? 0;
}

describe('attacks, with and without protection', () => {
  interface Case {
    /** The maximum that the attack may consume, in gas. */
    readonly bound: bigint;
    readonly measure: (shop: PaidTestServer) => bigint;
  }
  const lost = (shop: PaidTestServer) => shop.payments.gas()!.failed.gas;
  const bounded: Readonly<Record<string, Case>> = {
    turns: { bound: LIMITS.lostPerHour, measure: lost },
    // The settlements in flight when the limit was reached, and then one for each emptied account.
    drains: {
      bound: LIMITS.plainLostPerHour + BigInt(4 + ROUNDS - 1) * FAILURE,
      measure: lost,
    },
    // A payer with a failed settlement must wait.
    cancels: { bound: FAILURE, measure: lost },
    costs: {
      bound: LIMITS.payerPerHour,
      measure: (shop) => shop.payments.gas()!.settled.gas,
    },
  };

  test.each(Object.entries(bounded))('%s: bounded only with limits', async (name, one) => {
    const measured: bigint[] = [];
    for (const gas of [LIMITS, NO_LIMITS]) {
      const meanwhile: Market['meanwhile'] = new Map();
      const shop = await open(gas, meanwhile);
      const first = chain.chain.tip.number + 1;
      const struck = await attack(openMarket(shop, meanwhile), name);
      expect(struck).toBeGreaterThan(0);
      await shop.close();
      measured.push(one.measure(shop));
      // The ledger agrees with the chain.
      expect(await hostile.gasLost(first)).toBe(lost(shop));
    }
    const [guarded, unguarded] = measured as [bigint, bigint];
    console.info(`${name}: ${guarded} gas, ${unguarded} without limits; bound ${one.bound}`);
    expect(guarded).toBeGreaterThan(0n);
    expect(guarded).toBeLessThanOrEqual(one.bound);
    expect(unguarded).toBeGreaterThan(one.bound);
  });

  // Limits have no effect here, because the server detects these payments beforehand and does not send them.
  test.each(['looksAtPrice', 'bursts', 'floods'])(
    '%s: costs this seller nothing, and a naive seller gas',
    async (name) => {
      const shop = await open(NO_LIMITS);
      const first = chain.chain.tip.number + 1;
      expect(await attack(openMarket(shop), name)).toBe(ROUNDS);
      expect(await hostile.gasLost(first)).toBe(0n);
      await shop.close();
      // Unfunded keys cost gas only if the seller does not simulate.
      const naive = openNaiveShop(chain, { nodeUrl: name === 'floods' ? undefined : common.url });
      expect(await attack(openMarket(naive), name)).toBe(ROUNDS);
      console.info(`${name}: 0 gas, ${naive.lost()} by a naive seller`);
      expect(naive.lost()).toBeGreaterThan(BigInt(ROUNDS) * 21_000n);
    },
  );

  test('replays: no response, unless the ledger lacks the payment', async () => {
    const [shop, forgetful] = [await open(GAS), await open(GAS)];
    const payment = chain.pay();
    const text = header(chain, payment);
    chain.hold(true);
    onTestFinished(() => chain.hold(false));
    const before = node.requests.length;
    const victim = shop.buy(text);
    // The payment is now public.
    await expect
      .poll(() =>
        node.requests.slice(before).some(({ method }) => method === 'eth_sendRawTransaction'),
      )
      .toBe(true);
    const path = '/api/v1/agent/node/stolen';
    expect((await shop.buy(text, { path })).status).toBe(402);
    const stolen = forgetful.buy(text, { path });
    await expect.poll(hostile.waiting).toBe(2);
    chain.hold(false);
    await chain.mine();
    expectPaid(await victim, payment);
    expectPaid(await stolen, payment);
    expect([shop.runs(), forgetful.runs()]).toEqual([1, 1]);
    expect((await shop.buy(text, { path })).status).toBe(402);
  });

  test('frontRuns: the victim does not wait, or waits a minute if the seller does not read the chain', async () => {
    const nodes = createNodes({ chainId: 8453, rpcUrls: [node.url], timeoutMs: 20_000 });
    const { getOnChainStatus } = createPaymentChain({ nodes, terms: chain.terms });
    for (const asked of [true, false]) {
      const { address, privateKey: key } = chain.payers[asked ? 0 : 1]!;
      const from = lower(address);
      const losses: unknown[] = [];
      const facilitator = createEmbeddedFacilitator({
        nodes,
        terms: chain.terms,
        privateKeys: chain.keys,
        multicall: chain.multicall,
        maxFeePerGas: 10n ** 12n,
        gas: GAS,
        onGasLost: (loss) => losses.push(loss),
        ...(asked && { getOnChainStatus }),
      });
      const payment = chain.pay({ from, key });
      expect(await facilitator.verify(payment)).toEqual({ ok: true });
      await hostile.bringOnChain(payment);
      expect(await facilitator.settle(payment)).toMatchObject({ outcome: 'unknown' });
      await expect.poll(() => losses).toMatchObject([{ payer: from, penalized: !asked }]);
      const next = await facilitator.verify(chain.pay({ from, key }));
      expect(next).toMatchObject(asked ? { ok: true } : { ok: false, code: 'payer_throttled' });
      await facilitator.close();
    }
    nodes.close();
  });
});
