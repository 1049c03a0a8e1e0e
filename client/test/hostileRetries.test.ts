import { describe, expect, test } from 'vitest';
import { createMemoryStore, isAssayError, type PayerOptions } from '../src/index.ts';
import { useHostileSeller } from './hostileKit.ts';
import { ENDS } from './hostileModes.ts';
import { PRICE, type Sale } from './hostileSeller.ts';
import { sendJson } from './localServer.ts';

const shop = useHostileSeller();

type Rejecting = (sale: Sale) => void | Promise<void>;

/** A seller that ends every paid call in this way. */
function endingWith(name: string): Rejecting {
  const around = {
    chain: shop.chain,
    cash: () => shop.seller.cash(),
    elsewhere: shop.seller?.url ?? '',
  };
  return (sale) => ENDS[name]!(sale, around);
}

async function openWith(reject: Rejecting, options: Partial<PayerOptions>): Promise<void> {
  await shop.open((sale) => (sale.payment ? reject(sale) : sale.bill()), {
    retries: 0,
    ...options,
  });
}

async function failure(options?: { replaces: string }) {
  const error = await shop.payer.buy(`${shop.seller.url}/grade`, options).catch((caught) => caught);
  if (!isAssayError(error)) throw new Error(`no failure, but ${JSON.stringify(error)}`);
  return error;
}

describe('a seller that keeps a payment and sends no response', () => {
  test.each(Object.keys(ENDS))(
    'behavior: %s: every retry sends the same payment, so it is charged once',
    async (name) => {
      const store = createMemoryStore();
      let ahead = 0;
      const now = () => Math.floor(Date.now() / 1000) + ahead;
      await openWith(endingWith(name), { store, now });
      const ids = new Set<string>();
      // The same payer, another one on its store, and both after the payment has expired.
      for (const seconds of [0, 0, 1_000, 0, 1_000]) {
        ahead += seconds;
        const { payment } = await failure();
        expect(payment?.amount).toBeGreaterThanOrEqual(PRICE);
        const ends = shop.seller.payments.map(({ authorization }) => +authorization.validBefore);
        expect(payment?.chargeableUntil).toBe(Math.max(...ends));
        ids.add(payment!.id);
        shop.restart({ store, now, retries: 0 });
      }
      expect(ids.size).toBe(1);
      const { open, reserved } = await shop.payer.report();
      expect(open).toMatchObject([{ id: [...ids][0] }]);
      const nonces = new Set(shop.seller.payments.map(({ authorization }) => authorization.nonce));
      expect(nonces.size).toBe(1);
      const before = await shop.seller.cash();
      expect(before.charges).toBeLessThanOrEqual(1);
      expect(before.amount).toBeLessThanOrEqual(reserved);
    },
  );

  test('behavior: pays a second time only for a caller that names the first payment', async () => {
    await openWith(endingWith('refused'), {});
    const first = (await failure()).payment!;
    expect((await failure({ replaces: 'another' })).payment!.id).toBe(first.id);
    const second = (await failure({ replaces: first.id })).payment!;
    expect(second.id).not.toBe(first.id);
    // From then on, the second payment belongs to the URL.
    expect((await failure()).payment!.id).toBe(second.id);
    expect(await shop.payer.report()).toMatchObject({ reserved: 2n * PRICE });
    expect(await shop.seller.cash()).toEqual({ charges: 2, amount: 2n * PRICE });
  });

  test.each<[string, Rejecting]>([
    ['402', ({ bill }) => bill()],
    ['404', ({ response }) => sendJson(response, {}, { status: 404 })],
    ['500', ({ response }) => sendJson(response, {}, { status: 500 })],
    ['an invalid body', ({ response }) => void response.writeHead(200).end('<html>')],
  ])(
    'behavior: %s after a payment that the chain shows as used: it is charged, and its response is still delivered',
    async (_, reject) => {
      let isAwake = false;
      const proof = { rpc: { 'eip155:8453': shop.chain.url }, finality: 'latest' } as const;
      await openWith(
        async (sale) => {
          if (isAwake) return sale.deliver();
          await shop.seller.cash();
          return reject(sale);
        },
        { proof },
      );
      const { payment } = await failure();
      expect(await shop.payer.report()).toMatchObject({
        spent: PRICE,
        reserved: 0n,
        payments: [{ id: payment!.id, outcome: 'charged' }],
      });
      // It is not bought again.
      expect((await failure()).payment!.id).toBe(payment!.id);
      isAwake = true;
      expect(await shop.buy()).toMatchObject({ answer: { url: '/grade' } });
      expect(await shop.payer.report()).toMatchObject({ spent: PRICE, reserved: 0n });
      expect(shop.signatures).toBe(1);
      // Now it is another purchase.
      expect(await shop.buy()).toMatchObject({ answer: { url: '/grade' } });
      expect(shop.signatures).toBe(2);
    },
  );

  test('behavior: a late response that the caller could not accept is still owed', async () => {
    let isAwake = false;
    const proof = { rpc: { 'eip155:8453': shop.chain.url }, finality: 'latest' } as const;
    await openWith(
      async ({ bill, deliver }) => {
        if (isAwake) return deliver();
        await shop.seller.cash();
        bill();
      },
      { proof },
    );
    const { id } = (await failure()).payment!;
    isAwake = true;
    const full = shop.payer.refetch(id, { accept: () => Promise.reject(new Error('disk full')) });
    await expect(full).rejects.toThrow('disk full');
    // A purchase asks for the response of the first payment.
    expect(await shop.buy()).toMatchObject({ payment: { id } });
    expect(shop.signatures).toBe(1);
  });

  test('behavior: a response that the caller could not accept stays paid for', async () => {
    await shop.open(({ payment, bill, deliver }) => (payment ? deliver() : bill()));
    const url = `${shop.seller.url}/grade`;
    const full = shop.payer.buy(url, { accept: () => Promise.reject(new Error('disk full')) });
    await expect(full).rejects.toThrow('disk full');
    expect(await shop.payer.report()).toMatchObject({ spent: 0n, reserved: PRICE });
    const taken: unknown[] = [];
    await shop.payer.buy(url, { accept: ({ answer }) => taken.push(answer) });
    expect(taken).toEqual([{ url: '/grade' }]);
    expect(await shop.payer.report()).toMatchObject({ spent: PRICE, reserved: 0n });
    expect(shop.signatures).toBe(1);
  });

  test('behavior: an expired payment can be written off, and no other', async () => {
    let ahead = 0;
    await openWith(endingWith('not found'), { now: () => Math.floor(Date.now() / 1000) + ahead });
    const { id } = (await failure()).payment!;
    await expect(shop.payer.writeOff(id)).rejects.toMatchObject({ type: 'config' });
    await expect(shop.payer.writeOff('another')).rejects.toMatchObject({ type: 'config' });
    ahead = 1_000;
    await shop.payer.writeOff(id);
    expect(await shop.payer.report()).toMatchObject({
      spent: 0n,
      reserved: 0n,
      payments: [{ id, outcome: 'written-off' }],
    });
    expect((await failure()).payment!.id).not.toBe(id);
  });
});

describe('equal calls at the same time', () => {
  test('behavior: one purchase, also when the caller that started it aborts', async () => {
    let release = () => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    await shop.open(async ({ payment, bill, deliver }) => {
      if (!payment) return bill();
      await waiting;
      deliver();
    });
    const url = `${shop.seller.url}/grade`;
    const controller = new AbortController();
    const first = shop.payer.buy(url, { signal: controller.signal });
    const others = [shop.payer.buy(url), shop.payer.buy(url)];
    await expect.poll(() => shop.seller.payments.length).toBe(1);
    controller.abort();
    await expect(first).rejects.toMatchObject({ type: 'aborted', payment: { amount: PRICE } });
    release();
    for (const bought of await Promise.all(others)) {
      expect(bought).toMatchObject({ answer: { url: '/grade' } });
    }
    expect(shop.signatures).toBe(1);
    expect(await shop.seller.cash()).toEqual({ charges: 1, amount: PRICE });
  });

  test('behavior: one purchase by two payers on one store', async () => {
    const store = createMemoryStore();
    await shop.open(({ payment, bill, deliver }) => (payment ? deliver() : bill()), { store });
    const url = `${shop.seller.url}/grade`;
    const one = shop.payer;
    shop.restart({ store });
    const [a, b] = await Promise.all([one.buy(url), shop.payer.buy(url)]);
    expect(a.payment!.nonce).toBe(b.payment!.nonce);
    expect(await shop.payer.report()).toMatchObject({ spent: PRICE, reserved: 0n });
  });
});
