import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { paymentsConfig } from '../../../test/paidServer.ts';
import {
  earned,
  expectConflict,
  expectInvoice,
  expectPaid,
  header,
} from '../../../test/paidTestServer.ts';
import { useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { BadParameters, NotFound, NotReady } from '../../http/problem.ts';

const SECRET = 'select * from payment where key = hunter2';

const chain = useTokenChain({ payers: 2 });

describeAnyEngine('gate and free responses', (open) => {
  const start = useShops({ open, chain });

  const failures: Record<string, [status: number, error: Error]> = {
    'bad parameters': [400, new BadParameters([{ parameter: 'nodeId', reason: 'is not good' }])],
    'nothing there': [404, new NotFound('there is no such node')],
    'a fault': [500, new Error(SECRET)],
    'nothing read yet': [503, new NotReady('not yet')],
  };
  test.each(Object.entries(failures))(
    'default: %s, free, and then paid',
    async (_name, [status, error]) => {
      let failing = true;
      const shop = await start({
        answer: async ({ path }) => {
          if (failing) throw error;
          return path;
        },
      });
      const payment = chain.pay();
      const text = header(chain, payment);
      const { result, earned: got } = await earned(chain, async () => [
        await shop.buy(text),
        await shop.buy(text),
      ]);
      for (const reply of result) {
        expect(reply.status).toBe(status);
        expect(reply.headers['payment-response']).toBeUndefined();
        expect(reply.headers['content-type']).toContain('problem+json');
        expect(reply.headers['cache-control']).toBe('no-store');
        expect(reply.body.toString()).not.toContain('hunter2');
      }
      expect(got).toBe(0n);
      expect(shop.runs()).toBe(2);
      expect(await shop.row(payment)).toMatchObject({ state: 'released', answer: null });
      failing = false;
      // The payment is not valid for another request, even now.
      const path = '/api/v1/agent/node/other';
      const other = await shop.buy(text, { path });
      expectInvoice(other, 'payment_used_for_other_request', { path });
      const { result: last, earned: then } = await earned(chain, () => shop.buy(text));
      expectPaid(last, payment);
      expect(then).toBe(PRICE);
      expect(shop.runs()).toBe(3);
      expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
    },
  );

  test.each([199, 300, 302, 304, 402, 599])(
    'behavior: a response with %i is not charged',
    async (status) => {
      const shop = await start();
      const payment = chain.pay();
      const answer = { status, headers: {}, body: Buffer.from('x') };
      const { result, earned: got } = await earned(chain, () =>
        shop.payments.gate.handle({
          client: '127.0.0.1',
          method: 'GET',
          resource: '/any',
          route: 'node',
          description: '',
          price: PRICE,
          calls: 1,
          payment: header(chain, payment),
          answer: async () => answer,
        }),
      );
      expect(result).toEqual({ kind: 'free', answer });
      expect(got).toBe(0n);
      expect(await shop.row(payment)).toMatchObject({ state: 'released', answer: null });
    },
  );

  test('behavior: an identifier is free again after a free response', async () => {
    let failing = true;
    const shop = await start({
      answer: async () => {
        if (failing) throw new NotFound('not there');
        return 'there';
      },
    });
    const identifier = `free_again_${Date.now()}`;
    const [one, two] = [chain.pay(), chain.pay()];
    expect((await shop.buy(header(chain, one, { identifier }))).status).toBe(404);
    failing = false;
    expectPaid(await shop.buy(header(chain, two, { identifier })), two);
    // The first was released, and its identifier belongs to another payment now.
    const { result, earned: got } = await earned(chain, () =>
      shop.buy(header(chain, one, { identifier })),
    );
    expectConflict(result);
    expect(got).toBe(0n);
    expectPaid(await shop.buy(header(chain, one)), one);
  });

  test('behavior: duplicates of a free request with one identifier get the same response', async () => {
    let runs = 0;
    let release = () => {};
    const gone = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answer = async () => {
      if (++runs === 1) await gone;
      throw new NotFound('not there');
    };
    const shop = await start({ answer });
    const other = await start({ answer });
    const payment = chain.pay();
    const text = header(chain, payment, { identifier: `free_copies_${Date.now()}` });
    const first = shop.buy(text);
    await expect.poll(() => runs).toBe(1);
    const unnamed = await shop.buy(header(chain, payment));
    expectInvoice(unnamed, 'payment_in_progress');
    // One copy waits for the first; another reads the ledger, and claims what was released.
    const copies = [shop.buy(text), other.buy(text)];
    release();
    for (const reply of [first, ...copies]) expect((await reply).status).toBe(404);
    expect(await shop.row(payment)).toMatchObject({ state: 'released' });
  });

  test('behavior: a payment that another process released is sold to a waiting duplicate', async () => {
    let release = () => {};
    const gone = new Promise<void>((resolve) => {
      release = resolve;
    });
    const failing = await start({
      answer: async () => {
        await gone;
        throw new NotFound('not there');
      },
    });
    const store = await open();
    let reads = 0;
    const other = await start({
      store: {
        ...store,
        query(asked, params) {
          if (asked.name.startsWith('payments.byKeys')) reads++;
          return store.query(asked, params);
        },
      },
    });
    const payment = chain.pay();
    const text = header(chain, payment, { identifier: `free_waiting_${Date.now()}` });
    const { result, earned: got } = await earned(chain, async () => {
      const first = failing.buy(text);
      await expect.poll(failing.runs).toBe(1);
      const copy = other.buy(text);
      // The copy polls the ledger while it waits.
      await expect.poll(() => reads).toBeGreaterThan(2);
      release();
      return Promise.all([first, copy]);
    });
    expect(result[0].status).toBe(404);
    expectPaid(result[1], payment);
    expect(got).toBe(PRICE);
    expect(other.runs()).toBe(1);
  });

  test('behavior: the price grows with the calls that a payer settled', async () => {
    const path = '/api/v1/agent/schema';
    const payer = chain.payers[1]!;
    const fields = { from: payer.address.toLowerCase() as `0x${string}`, key: payer.privateKey };
    const shop = await start({
      payments: { escalation: { firstStepCalls: 3, factor: 5, maxFactor: 25 } },
    });
    const buy = (value: bigint) =>
      shop.buy(header(chain, chain.pay({ ...fields, value })), { path });
    const { earned: got } = await earned(chain, async () => {
      for (let i = 0; i < 3; i++) expect((await buy(1_000n)).status).toBe(200);
      expectInvoice(await buy(1_000n), 'invalid_amount', { path, amount: 5_000n });
      expectInvoice(await buy(25_000n), 'invalid_amount', { path, amount: 5_000n });
      expect((await buy(5_000n)).status).toBe(200);
    });
    expect(got).toBe(8_000n);
    // A client that has not proven its address gets the base price.
    expectInvoice(await shop.buy(undefined, { path }), 'payment_required', {
      path,
      amount: 1_000n,
    });
    // Another server on the store has the same count, and every refusal quotes the payer's price.
    const second = await start({
      payments: { escalation: { firstStepCalls: 3, factor: 5, maxFactor: 25 } },
    });
    const reply = await second.buy(header(chain, chain.pay({ ...fields, value: 1_000n })), {
      path,
    });
    expectInvoice(reply, 'invalid_amount', { path, amount: 5_000n });
    const paid = chain.pay({ ...fields, value: 5_000n });
    expect((await second.buy(header(chain, paid), { path })).status).toBe(200);
    const replay = await second.buy(header(chain, paid), { path });
    expectInvoice(replay, 'payment_already_used', { path, amount: 5_000n });
  });

  test('behavior: a changed price gives a new invoice, and paid responses are still delivered', async () => {
    const prices = { ...paymentsConfig(chain).prices, node: PRICE };
    const before = await start({ payments: { prices } });
    const identifier = `price_change_${Date.now()}`;
    const old = chain.pay();
    const answer = await before.buy(header(chain, old, { identifier }));
    expectPaid(answer, old);
    const after = await start({ payments: { prices: { ...prices, node: 70_000n } } });
    const { result, earned: got } = await earned(chain, async () => [
      await after.buy(header(chain, chain.pay())),
      await after.buy(header(chain, old, { identifier })),
    ]);
    expectInvoice(result[0]!, 'invalid_amount', { amount: 70_000n });
    expectPaid(result[1]!, old);
    expect(result[1]!.body).toEqual(answer.body);
    expect(got).toBe(0n);
  });

  test('behavior: after a change of recipient, payments to the old one are still delivered', async () => {
    const before = await start();
    const identifier = `payee_change_${Date.now()}`;
    const old = chain.pay();
    const answer = await before.buy(header(chain, old, { identifier }));
    expectPaid(answer, old);
    const after = await start({
      payments: { payTo: '0x00000000000000000000000000000000000000aa' },
    });
    const again = await after.buy(header(chain, old, { identifier }));
    expectPaid(again, old);
    expect(again.body).toEqual(answer.body);
    expectInvoice(await after.buy(header(chain, chain.pay())), 'invalid_pay_to');
    expect(after.runs()).toBe(0);
  });
});
