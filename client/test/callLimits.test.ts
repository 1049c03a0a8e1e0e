import { describe, expect, test } from 'vitest';
import { agentNode, createClient, createMemoryStore, type Proposal } from '../src/index.ts';
import { BUDGET, honest, useHostileSeller } from './hostileKit.ts';
import { PRICE } from './hostileSeller.ts';

const shop = useHostileSeller();
const grade = () => `${shop.seller.url}/grade`;

describe('the cap of a call', () => {
  test('default: signs a price up to the cap, and nothing above it', async () => {
    await shop.open(honest);
    const low = shop.payer.buy(grade(), { maxAmount: PRICE - 1n });
    await expect(low).rejects.toMatchObject({ type: 'over_cap', cap: 'call', limit: PRICE - 1n });
    expect(shop.signatures).toBe(0);
    const client = createClient({ url: shop.seller.url });
    const node = { nodeId: 'x', headers: { 'x-own': 'mine' } };
    await expect(agentNode(client, shop.payer, { ...node, maxAmount: 1n })).rejects.toMatchObject({
      type: 'over_cap',
    });
    await agentNode(client, shop.payer, { ...node, maxAmount: PRICE });
    expect(shop.seller.requests.at(-1)!.headers['x-own']).toBe('mine');
  });

  test("behavior: the budget's cap applies as well", async () => {
    await shop.open(({ bill }) => bill({ way: { amount: `${BUDGET.perCall + 1n}` } }));
    const high = shop.payer.buy(grade(), { maxAmount: 10n * PRICE });
    await expect(high).rejects.toMatchObject({ type: 'over_cap', limit: BUDGET.perCall });
  });

  test('error: a price that grows after the first signature', async () => {
    await shop.open(({ payment, bill }) =>
      bill({ way: { amount: `${payment ? PRICE + 1n : PRICE}` } }),
    );
    const failed = shop.payer.buy(grade(), { maxAmount: PRICE });
    await expect(failed).rejects.toMatchObject({
      type: 'over_cap',
      limit: PRICE,
      payment: { amount: PRICE },
    });
    expect(shop.signatures).toBe(1);
  });

  test('error: an earlier payment that could cost more is not sent for this call', async () => {
    let isAwake = false;
    await shop.open(({ payment, bill, deliver }) => (payment && isAwake ? deliver() : bill()));
    expect(await shop.failing()).toBe('refused');
    const sent = shop.seller.payments.length;
    isAwake = true;
    const low = shop.payer.buy(grade(), { maxAmount: PRICE - 1n });
    await expect(low).rejects.toMatchObject({ type: 'over_cap', payment: { amount: PRICE } });
    expect(shop.seller.payments).toHaveLength(sent);
    await shop.payer.buy(grade(), { maxAmount: PRICE });
    expect(shop.signatures).toBe(1);
  });

  test('behavior: a call with a lower cap does not fail a call with a higher one', async () => {
    await shop.open(honest);
    const [low, high] = await Promise.allSettled([
      shop.payer.buy(grade(), { maxAmount: 1n }),
      shop.payer.buy(grade(), { maxAmount: PRICE }),
    ]);
    expect(low).toMatchObject({ status: 'rejected', reason: { type: 'over_cap' } });
    expect(high.status).toBe('fulfilled');
    expect(shop.signatures).toBe(1);
  });

  test('error: a cap that is not an amount', async () => {
    await shop.open(honest);
    for (const maxAmount of [50_000, '50000', -1n, null]) {
      const wrong = shop.payer.buy(grade(), { maxAmount } as never);
      await expect(wrong).rejects.toMatchObject({ type: 'config' });
    }
    expect(shop.seller.requests).toHaveLength(0);
  });

  test('behavior: a call can have its own timeout', async () => {
    await shop.open(() => {});
    await expect(shop.payer.buy(grade(), { timeoutMs: 50 })).rejects.toMatchObject({
      type: 'timeout',
      timeoutMs: 50,
    });
  });
});

describe('the hook before signing', () => {
  test('default: it gets the payment before anything is reserved or signed', async () => {
    const seen: Proposal[] = [];
    const reserved: bigint[] = [];
    await shop.open(honest, {
      beforeSign: async (proposal) => {
        seen.push(proposal);
        reserved.push((await shop.payer.report()).reserved);
      },
    });
    const { payment } = await shop.buy();
    expect(seen).toEqual([
      {
        paymentId: payment!.id,
        url: grade(),
        method: 'GET',
        host: shop.seller.host,
        network: 'eip155:8453',
        asset: shop.chain.terms.asset,
        payTo: shop.chain.terms.payTo,
        payer: shop.payer.address,
        amount: PRICE,
        isSignedAgain: false,
      },
    ]);
    expect(reserved).toEqual([0n]);
  });

  test.each<[string, () => unknown]>([
    ['refuses', () => false],
    ['refuses later', async () => false],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['fails', () => Promise.reject(new Error('no'))],
  ])('error: it %s: nothing is signed or reserved', async (_, beforeSign) => {
    await shop.open(honest, { beforeSign });
    expect(await shop.failing()).toBe('declined');
    expect(shop.signatures).toBe(0);
    expect(await shop.payer.report()).toMatchObject({ reserved: 0n, open: [] });
    expect(shop.seller.payments).toHaveLength(0);
    // A caller that approves can still buy.
    shop.restart({});
    await shop.buy();
  });

  test('error: it declines other terms: the payment signed before stays open', async () => {
    await shop.open(({ payment, bill }) => bill({ way: { amount: payment ? '51000' : '50000' } }), {
      beforeSign: ({ isSignedAgain }) => !isSignedAgain,
    });
    await expect(shop.buy()).rejects.toMatchObject({
      type: 'declined',
      payment: { amount: PRICE },
    });
    expect(shop.signatures).toBe(1);
    expect(await shop.payer.report()).toMatchObject({ reserved: PRICE });
  });

  test('behavior: it is not called for a payment above a cap', async () => {
    const asked: unknown[] = [];
    await shop.open(honest, {
      beforeSign: (one) => asked.push(one),
      budget: { ...BUDGET, total: 1n },
    });
    expect(await shop.failing()).toBe('over_cap');
    expect(asked).toEqual([]);
  });

  test('behavior: while it waits, the caller can abort and others can buy', async () => {
    const store = createMemoryStore();
    const controller = new AbortController();
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    await shop.open(honest, {
      store,
      beforeSign: () => {
        isAsked();
        return new Promise(() => {});
      },
    });
    const waiting = shop.payer.buy(grade(), { signal: controller.signal });
    await asked;
    shop.restart({ store });
    await shop.buy();
    controller.abort();
    const error = await waiting.catch((caught) => caught);
    expect(error).toMatchObject({ type: 'aborted' });
    expect(error.payment).toBe(undefined);
    expect(await shop.payer.report()).toMatchObject({ spent: PRICE, reserved: 0n });
  });

  test('behavior: if another process buys the same before the approval, both are one purchase', async () => {
    const store = createMemoryStore();
    let isAwake = false;
    await shop.open(({ payment, bill, deliver }) => (payment && isAwake ? deliver() : bill()), {
      store,
      beforeSign: async () => {
        shop.restart({ store });
        expect(await shop.failing()).toBe('refused');
        isAwake = true;
      },
    });
    await shop.payer.buy(grade());
    expect(shop.signatures).toBe(1);
  });
});
