import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { PUBLIC_URL } from '../../../test/paidServer.ts';
import {
  earned,
  expectConflict,
  expectInvoice,
  expectPaid,
  header,
  NODE,
  type PaidTestServer,
} from '../../../test/paidTestServer.ts';
import { useShop, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { lower } from '../../domain/hex.ts';

const chain = useTokenChain({ payers: 2 });

describeAnyEngine('gate and replays', (open, database) => {
  const shop = useShop({ open, chain });
  const start = useShops({ open, chain });
  let named = 0;
  const identifier = () => `replay_${database().engine}_${String(named++).padStart(16, '0')}`;

  test('default: a second use of a payment is 402', async () => {
    const payment = chain.pay();
    const runs = shop.runs();
    const { result, earned: got } = await earned(chain, async () => [
      await shop.buy(header(chain, payment)),
      await shop.buy(header(chain, payment)),
    ]);
    expectPaid(result[0]!, payment);
    expectInvoice(result[1]!, 'payment_already_used');
    expect(got).toBe(PRICE);
    expect(shop.runs() - runs).toBe(1);
    // The delivery is recorded after the last byte.
    await expect
      .poll(() => shop.row(payment))
      .toMatchObject({
        state: 'settled',
        value: PRICE,
        route: 'node',
        deliveredAt: expect.any(Number),
      });
  });

  test.each([2, 50])(
    'behavior: %i concurrent copies without an identifier: one is served',
    async (copies) => {
      const payment = chain.pay();
      const text = header(chain, payment);
      const runs = shop.runs();
      const { result, earned: got } = await earned(chain, () =>
        Promise.all(Array.from({ length: copies }, () => shop.buy(text))),
      );
      const served = result.filter(({ status }) => status === 200);
      expect(served.length).toBe(1);
      expectPaid(served[0]!, payment);
      for (const reply of result.filter(({ status }) => status !== 200)) {
        const { error } = JSON.parse(reply.body.toString()) as { error: string };
        expect(['payment_in_progress', 'payment_already_used']).toContain(error);
        expectInvoice(reply, error);
      }
      expect(got).toBe(PRICE);
      expect(shop.runs() - runs).toBe(1);
      expect(shop.errors).toEqual([]);
    },
  );

  test.each([2, 50])(
    'behavior: %i concurrent copies with one identifier: all get the same',
    async (copies) => {
      const payment = chain.pay();
      const text = header(chain, payment, { identifier: identifier() });
      const runs = shop.runs();
      const { result, earned: got } = await earned(chain, () =>
        Promise.all(Array.from({ length: copies }, () => shop.buy(text))),
      );
      for (const reply of result) {
        expectPaid(reply, payment);
        expect(reply.body).toEqual(result[0]!.body);
        expect(reply.headers['payment-response']).toBe(result[0]!.headers['payment-response']);
      }
      expect(got).toBe(PRICE);
      expect(shop.runs() - runs).toBe(1);
    },
  );

  test('behavior: copies above the limit are 429, the others get the same', async () => {
    let refused = 0;
    let release = () => {};
    const gone = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Until the payment is sent, only its payer has it, so every copy counts.
    const limited = await start({
      payments: { rateLimit: { perSecond: 0.001, burst: 5 } },
      answer: async () => {
        await gone;
        return {};
      },
    });
    const payment = chain.pay();
    const text = header(chain, payment, { identifier: identifier() });
    const { result, earned: got } = await earned(chain, () =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          const reply = await limited.buy(text);
          if (reply.status === 429 && ++refused === 15) release();
          return reply;
        }),
      ),
    );
    const statuses = result.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
    expect(limited.runs()).toBe(1);
    expect(got).toBe(PRICE);
  });

  test('error: paid for one resource, used on another', async () => {
    const payment = chain.pay();
    expectPaid(await shop.buy(header(chain, payment)), payment);
    const code = 'payment_used_for_other_request';
    const others = [
      '/api/v1/agent/node/pool:base:0x2',
      `${NODE}?a=1`,
      '/api/v1/agent/node/POOL:base:0x1',
    ];
    for (const path of others) {
      expectInvoice(await shop.buy(header(chain, payment), { path }), code, { path });
    }
    const head = await shop.buy(header(chain, payment), { method: 'HEAD' });
    expectInvoice(head, code, { head: true });
    const cheap = chain.pay({ value: 1_000n });
    const search = '/api/v1/agent/search?q=usdc';
    expectPaid(await shop.buy(header(chain, cheap), { path: search }), cheap);
    for (const path of ['/api/v1/agent/search?q=dai', '/api/v1/agent/schema']) {
      expectInvoice(await shop.buy(header(chain, cheap), { path }), code, { path, amount: 1_000n });
    }
  });

  test('error: used on another resource while the first is in flight', async () => {
    let others: Promise<unknown> | undefined;
    const payment = chain.pay();
    const text = header(chain, payment, { identifier: identifier() });
    const path = '/api/v1/agent/node/other';
    const slow: PaidTestServer = await start({
      answer: async ({ path: { nodeId } }) => {
        if (nodeId !== 'other') others = slow.buy(text, { path });
        await others;
        return { nodeId };
      },
    });
    const { result, earned: got } = await earned(chain, () => slow.buy(text));
    expectPaid(result, payment);
    expectConflict((await others) as never);
    expect(got).toBe(PRICE);
    expect(slow.runs()).toBe(1);
  });

  test('behavior: HEAD costs as much as GET, and pays for nothing else', async () => {
    const payment = chain.pay();
    const text = header(chain, payment, { identifier: identifier() });
    const runs = shop.runs();
    const { result, earned: got } = await earned(chain, () => shop.buy(text, { method: 'HEAD' }));
    expectPaid(result, payment);
    expect(result.body.length).toBe(0);
    expect(Number(result.headers['content-length'])).toBeGreaterThan(0);
    expect(got).toBe(PRICE);
    expect(shop.runs() - runs).toBe(1);
    expectConflict(await shop.buy(text));
    expectPaid(await shop.buy(text, { method: 'HEAD' }), payment);
  });

  test('error: one nonce, two authorizations', async () => {
    const first = chain.pay();
    const { nonce } = first.authorization;
    expectPaid(await shop.buy(header(chain, first)), first);
    const second = chain.pay({ nonce, validAfter: 1n });
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, second)));
    expectInvoice(result, 'authorization_already_used');
    expect(got).toBe(0n);
    // The same nonce of another payer is another payment.
    const { address, privateKey } = chain.payers[1]!;
    const foreign = chain.pay({ nonce, from: lower(address), key: privateKey });
    expectPaid(await shop.buy(header(chain, foreign)), foreign);
  });

  test('error: an identifier belongs to one payment', async () => {
    const name = identifier();
    const payment = chain.pay();
    expectPaid(await shop.buy(header(chain, payment, { identifier: name })), payment);
    const runs = shop.runs();
    const second = chain.pay();
    const { result, earned: got } = await earned(chain, async () => [
      await shop.buy(header(chain, second, { identifier: name })),
      await shop.buy(header(chain, payment, { identifier: identifier() })),
    ]);
    for (const reply of result) expectConflict(reply);
    expect(got).toBe(0n);
    expect(shop.runs()).toBe(runs);
    expect(await shop.row(second)).toBeUndefined();
    // Another payer's identifier is separate.
    const { address, privateKey } = chain.payers[1]!;
    const foreign = chain.pay({ from: lower(address), key: privateKey });
    expectPaid(await shop.buy(header(chain, foreign, { identifier: name })), foreign);
    // The payment that was rejected with the taken identifier is still valid without it.
    expectPaid(await shop.buy(header(chain, second)), second);
  });

  test('error: a payment without an identifier cannot get one later', async () => {
    const payment = chain.pay();
    expectPaid(await shop.buy(header(chain, payment)), payment);
    const reply = await shop.buy(header(chain, payment, { identifier: identifier() }));
    expectConflict(reply);
  });

  test('behavior: two servers on one store sell a payment once', async () => {
    if (database().engine === 'pglite') return;
    const other = await start({ store: await database().open() });
    for (const name of [undefined, identifier()]) {
      const payment = chain.pay();
      const text = header(chain, payment, { ...(name !== undefined && { identifier: name }) });
      const before = shop.runs() + other.runs();
      const { result, earned: got } = await earned(chain, () =>
        Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? shop : other).buy(text))),
      );
      expect(got).toBe(PRICE);
      expect(shop.runs() + other.runs() - before).toBe(1);
      const served = result.filter(({ status }) => status === 200);
      expect(served.length).toBe(name === undefined ? 1 : 10);
      for (const reply of served) expect(reply.body).toEqual(served[0]!.body);
      for (const seller of [shop, other]) {
        let reply = await seller.buy(text);
        // On a busy machine the chain is sometimes not read in time.
        while (reply.status === 503) reply = await seller.buy(text);
        if (name === undefined) expectInvoice(reply, 'payment_already_used');
        else expectPaid(reply, payment);
      }
    }
  });

  test('behavior: the resource may be named, and must then match', async () => {
    const payment = chain.pay();
    const resource = { url: PUBLIC_URL + NODE, description: 'any', mimeType: 'any' };
    expectPaid(await shop.buy(header(chain, payment, { top: { resource } })), payment);
  });
});
