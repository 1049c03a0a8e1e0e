import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../src/index.ts';
import { BUDGET, STRANGER, useHostileSeller } from './hostileKit.ts';
import { PRICE, receiptOf } from './hostileSeller.ts';
import { sendBomb, sendJson } from './localServer.ts';

const shop = useHostileSeller();

describe('responses to a payment', () => {
  test('error: 402 forever', async () => {
    await shop.open(({ bill }) => bill());
    expect(await shop.failing()).toBe('refused');
    expect(shop.seller.requests).toHaveLength(2);
    // Each URL is another purchase. Signed payments stay reserved, so the cap ends it.
    const ends = [];
    for (let i = 0; i < 5; i++) ends.push(await shop.failing(`/${i}`));
    expect(ends).toEqual(['refused', 'refused', 'over_cap', 'over_cap', 'over_cap']);
    expect(shop.signatures).toBe(3);
    expect(await shop.seller.cash()).toEqual({ charges: 3, amount: BUDGET.total });
  });

  test('error: 402 forever, with another price each time', async () => {
    await shop.open(({ payment, turn, bill }) =>
      bill({ way: { amount: `${payment ? 51_000 + turn : 50_000}` } }),
    );
    expect(await shop.failing()).toBe('refused');
    expect(shop.signatures).toBe(2);
    const [first, second] = shop.seller.payments.map(({ authorization }) => authorization);
    expect(second!.nonce).toBe(first!.nonce);
    expect(shop.seller.payments[0]!.identifier).not.toBe(shop.seller.payments[1]!.identifier);
    // The chain accepts one of the two.
    const { charges, amount } = await shop.seller.cash();
    expect(charges).toBe(1);
    expect(amount).toBeLessThanOrEqual(51_000n);
    expect(await shop.payer.report()).toMatchObject({ reserved: 51_000n });
  });

  test('behavior: a changed price is signed again once', async () => {
    await shop.open(({ payment, bill, deliver }) => {
      if (payment?.authorization.value === '55000') deliver();
      else bill({ way: { amount: payment ? '55000' : '50000' } });
    });
    expect((await shop.buy()).payment).toMatchObject({ amount: 55_000n });
    expect(shop.signatures).toBe(2);
  });

  test('error: bait: cheap at first, then more than is allowed', async () => {
    await shop.open(({ payment, bill }) => bill({ way: { amount: payment ? '60001' : '1' } }));
    expect(await shop.failing()).toBe('over_cap');
    expect(shop.signatures).toBe(1);
    expect(await shop.payer.report()).toMatchObject({ reserved: 1n });
  });

  test('error: other terms in the second invoice', async () => {
    await shop.open(({ payment, bill }) =>
      bill({ way: payment ? { payTo: STRANGER, amount: '1' } : {} }),
    );
    expect(await shop.failing()).toBe('not_allowed');
    expect(shop.signatures).toBe(1);
  });

  test('error: a 402 with the receipt of a payment', async () => {
    await shop.open(({ payment, bill }) =>
      bill({
        way: { amount: payment ? '50001' : '50000' },
        headers: payment ? { 'payment-response': receiptOf(payment.authorization.from) } : {},
      }),
    );
    expect(await shop.failing()).toBe('refused');
    expect(shop.signatures).toBe(1);
  });

  test.each<[string, (payer: string) => Record<string, string>]>([
    ['of another payer', () => ({ 'payment-response': receiptOf(STRANGER) })],
    [
      'of another network',
      (from) => ({ 'payment-response': receiptOf(from, { network: 'eip155:1' }) }),
    ],
    [
      'without a transaction',
      (from) => ({ 'payment-response': receiptOf(from, { transaction: '' }) }),
    ],
    ['of a failure', (from) => ({ 'payment-response': receiptOf(from, { success: false }) })],
    ['that is not base64', () => ({ 'payment-response': '%%%' })],
  ])('behavior: a receipt %s is ignored, and the money counts as spent', async (_, headers) => {
    await shop.open(({ payment, bill, deliver }) =>
      payment ? deliver(headers(payment.authorization.from)) : bill(),
    );
    expect(await shop.buy()).toMatchObject({
      answer: { url: '/grade' },
      payment: { receipt: null },
    });
    expect(await shop.payer.report()).toMatchObject({ spent: PRICE });
  });

  test('behavior: without a receipt', async () => {
    await shop.open(({ payment, response, bill }) => (payment ? sendJson(response, [1]) : bill()));
    expect(await shop.buy()).toMatchObject({
      answer: [1],
      payment: { receipt: null, amount: PRICE },
    });
  });

  test.each(['', '<html>paid</html>', '{"_riskTier":'])(
    'error: success without delivery (%j), and never a second payment for it',
    async (body) => {
      await shop.open(({ payment, response, bill }) => {
        if (!payment) return bill();
        response
          .writeHead(200, { 'payment-response': receiptOf(payment.authorization.from) })
          .end(body);
      });
      for (let i = 0; i < 4; i++) expect(await shop.failing()).toBe('undelivered');
      expect(shop.signatures).toBe(1);
      expect(new Set(shop.seller.payments.map(({ header }) => header)).size).toBe(1);
      expect(await shop.seller.cash()).toEqual({ charges: 1, amount: PRICE });
    },
  );

  test('error: an endless response', async () => {
    await shop.open(({ payment, response, bill }) => {
      if (payment) Readable.from(endless()).pipe(response.writeHead(200));
      else bill();
    });
    expect(await shop.failing()).toBe('malformed');
    expect(await shop.payer.report()).toMatchObject({ reserved: PRICE });
  });

  test('error: a response that decompresses to more than the limit', async () => {
    await shop.open(({ payment, response, bill }) => (payment ? sendBomb(response) : bill()));
    expect(await shop.failing()).toBe('malformed');
    expect(await shop.payer.report()).toMatchObject({ reserved: PRICE });
  });

  test("behavior: the seller's identifier is not used", async () => {
    const used: string[] = [];
    await shop.open(({ payment, bill, deliver }) => {
      if (payment?.identifier) used.push(payment.identifier);
      const info = { required: true, id: used[0] ?? 'x'.repeat(20) };
      if (payment) deliver();
      else bill({ invoice: { extensions: { 'payment-identifier': { info } } } });
    });
    await shop.buy('/1');
    await shop.buy('/2');
    expect(new Set(used).size).toBe(2);
    expect(used).not.toContain('x'.repeat(20));
  });

  test('behavior: if the seller has no identifiers, none is sent', async () => {
    await shop.open(({ payment, bill, deliver }) =>
      payment ? deliver() : bill({ invoice: { extensions: {} } }),
    );
    await shop.buy();
    expect(shop.seller.payments[0]!.identifier).toBe(undefined);
  });

  test('error: the identifier is rejected (409)', async () => {
    await shop.open(({ payment, response, bill }) =>
      payment ? sendJson(response, {}, { status: 409 }) : bill(),
    );
    expect(await shop.failing()).toBe('refused');
    expect(shop.signatures).toBe(1);
  });

  test('error: a trusted host reports that it was charged', async () => {
    await shop.open(({ payment, response, bill }) =>
      payment ? sendJson(response, { code: 'payment_unrecorded' }, { status: 409 }) : bill(),
    );
    shop.restart({ proof: { hosts: [shop.seller.host] } });
    expect(await shop.failing()).toBe('refused');
    expect(await shop.payer.report()).toMatchObject({ spent: 0n, reserved: PRICE });
    expect(shop.signatures).toBe(1);
  });

  test('error: a trusted host reports no charge, and settles the payment', async () => {
    await shop.open(({ payment, response, bill }) =>
      payment ? sendJson(response, { status: 404 }, { status: 404 }) : bill(),
    );
    const ends = [];
    for (let i = 0; i < 5; i++) ends.push(await shop.failing(`/${i}`));
    expect(ends).toEqual(['problem', 'problem', 'problem', 'over_cap', 'over_cap']);
    expect((await shop.seller.cash()).amount).toBe(BUDGET.total);
  });

  test('error: 503 with Retry-After, forever', async () => {
    await shop.open(({ payment, response, bill }) =>
      payment ? sendJson(response, {}, { status: 503, headers: { 'retry-after': '0' } }) : bill(),
    );
    expect(await shop.failing()).toBe('unresolved');
    expect(shop.seller.payments).toHaveLength(3);
    expect(new Set(shop.seller.payments.map(({ header }) => header)).size).toBe(1);
  });
});

describe('a seller that hangs', () => {
  const limits = { timeoutMs: 250, retries: 1 };

  test('error: before the invoice', async () => {
    await shop.open(() => {}, limits);
    expect(await shop.failing()).toBe('timeout');
    expect(shop.signatures).toBe(0);
  });

  test.each(['before the invoice', 'in the invoice'])(
    'behavior: the connection is closed at the timeout (%s), so the process of the buyer can end',
    async (where) => {
      const closed: Promise<unknown>[] = [];
      await shop.open(({ request, response }) => {
        closed.push(once(request.socket, 'close'));
        if (where === 'in the invoice') response.writeHead(402).write('{');
      }, limits);
      expect(await shop.failing()).toBe('timeout');
      expect(closed).toHaveLength(1);
      await closed[0];
    },
  );

  test.each(['before its answer', 'in its answer'])(
    'behavior: %s: the same payment gets the response later, also by another payer on the same store',
    async (where) => {
      let isAwake = false;
      const store = createMemoryStore();
      await shop.open(
        ({ payment, response, bill, deliver }) => {
          if (!payment) return bill();
          if (isAwake) return deliver();
          if (where === 'in its answer') response.writeHead(200).write('{');
        },
        { ...limits, store },
      );
      // On a busy machine, the invoice can be late too.
      await expect.poll(() => shop.failing()).toBe('unresolved');
      expect(await shop.payer.report()).toMatchObject({ spent: 0n, reserved: PRICE });
      isAwake = true;
      shop.restart({ store });
      expect(await shop.buy()).toMatchObject({ answer: { url: '/grade' } });
      expect(shop.signatures).toBe(1);
      expect(new Set(shop.seller.payments.map(({ header }) => header)).size).toBe(1);
      expect(await shop.payer.report()).toMatchObject({ spent: PRICE, reserved: 0n });
    },
  );

  test('behavior: the caller aborts, and nothing is lost', async () => {
    const controller = new AbortController();
    let isAwake = false;
    await shop.open(({ payment, bill, deliver }) => {
      if (!payment) return bill();
      if (isAwake) return deliver();
      controller.abort();
    });
    const given = shop.payer.buy(`${shop.seller.url}/grade`, { signal: controller.signal });
    await expect(given).rejects.toMatchObject({ type: 'aborted' });
    isAwake = true;
    await shop.buy();
    expect(shop.signatures).toBe(1);
  });
});

// Last, because it moves the chain's clock ahead.
describe('review of open payments', () => {
  test('behavior: charged, with and without a response', async () => {
    let ahead = 0;
    let keepsItsWord = false;
    const now = () => Math.floor(Date.now() / 1000) + ahead;
    const proof = { rpc: { 'eip155:8453': shop.chain.url } };
    await shop.open(
      ({ payment, request, response, bill, deliver }) => {
        if (payment && keepsItsWord && request.url === '/late') deliver();
        else if (payment && !keepsItsWord) sendJson(response, {}, { status: 500 });
        else bill();
      },
      { now, proof, retries: 0 },
    );
    for (const path of ['/late', '/never', '/unused']) {
      expect(await shop.failing(path)).toBe('unresolved');
    }
    const outcomes = async () => (await shop.payer.review()).map(({ outcome }) => outcome);
    expect(await outcomes()).toEqual(['open', 'open', 'open']);
    await shop.seller.cash(({ url }) => url !== '/unused');
    ahead = 1_000;
    await shop.chain.mine(now());
    expect(await outcomes()).toEqual(['charged', 'charged', 'freed']);
    // The responses can still arrive, and are not paid for again.
    keepsItsWord = true;
    expect(await shop.buy('/late')).toMatchObject({ answer: { url: '/late' } });
    expect(await shop.failing('/never')).toBe('refused');
    expect(await shop.payer.report()).toMatchObject({
      spent: 2n * PRICE,
      reserved: 0n,
      payments: [{ outcome: 'charged' }, { outcome: 'charged', receipt: null }],
    });
    expect(shop.signatures).toBe(3);
  });
});

function* endless() {
  const chunk = 'x'.repeat(1_000_000);
  for (;;) yield chunk;
}
