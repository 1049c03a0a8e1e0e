import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { createFailingStore } from '../../../test/failingStore.ts';
import { paymentsConfig } from '../../../test/paidServer.ts';
import { earned, expectInvoice, expectPaid, header } from '../../../test/paidTestServer.ts';
import { useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { NotFound } from '../../http/problem.ts';
import type { Store } from '../../store/store.ts';

const chain = useTokenChain({ payers: 1 });

describeAnyEngine('gate and its store', (open) => {
  const start = useShops({ open, chain });
  let names = 0;
  const identifier = () => `store_${String(names++).padStart(20, '0')}`;
  const clock = (skew: () => number) => () => Math.floor(Date.now() / 1000) + skew();

  const statements = [
    ...['payments.insert', 'payments.keepAnswer', 'payments.settle', 'payments.deliver'],
    'payments.byKeys',
  ];
  const writes = statements.flatMap((name) =>
    (['before', 'after'] as const).flatMap((when) =>
      [true, false].map((named) => ({ name, when, named })),
    ),
  );
  test.each(writes)(
    'behavior: the database fails $when $name (named: $named)',
    async ({ name, when, named }) => {
      const database = createFailingStore(await open());
      let skew = 0;
      const shop = await start({ store: database.store, now: clock(() => skew) });
      const payment = chain.pay();
      const text = header(chain, payment, { ...(named && { identifier: identifier() }) });
      const { earned: got } = await earned(chain, async () => {
        database.fail(name, when);
        const first = await shop.buy(text);
        expect([200, 500, 503]).toContain(first.status);
        expect(first.body.toString()).not.toContain('hunter2');
        await expect.poll(database.failed).toBe(true);
        // Later, the lease has expired, and abandoned payments are checked.
        skew = 20;
        await shop.payments.reconciler.run();
        const second = await shop.buy(text);
        if (first.status === 200 && !named) {
          expectInvoice(second, 'payment_already_used');
        } else expectPaid(second, payment);
        if (first.status === 200 && second.status === 200) expect(second.body).toEqual(first.body);
      });
      expect(got).toBe(PRICE);
      expect(shop.runs()).toBeLessThanOrEqual(2);
      // A payment that was served is never on the list for refunds: failed writes are repeated.
      await expect
        .poll(() => shop.row(payment), { timeout: 10_000 })
        .toMatchObject({ state: 'settled', deliveredAt: expect.any(Number) });
      // A settlement that was written but not acknowledged is not counted here; the ledger has it.
      const calls = name === 'payments.settle' && when === 'after' ? 0 : 1;
      const counted = shop.payments.counts.read().reduce((sum, row) => sum + row.calls, 0);
      expect(counted).toBe(calls);
    },
  );

  test('behavior: a sale needs one statement for each step', async () => {
    const names: string[] = [];
    const store = await open();
    const counting: Store = {
      ...store,
      query(statement, params) {
        names.push(statement.name);
        return store.query(statement, params);
      },
    };
    const shop = await start({ store: counting });
    for (const isFirst of [true, false]) {
      const payment = chain.pay();
      names.length = 0;
      expectPaid(await shop.buy(header(chain, payment)), payment);
      const steps = ['byKeys', 'insert', 'keepAnswer', 'settle'];
      const ofSale = steps.map((step) => `payments.${step}.one`);
      // Others run now and then, for payments in general.
      const seen = names.filter((name) => ofSale.includes(name) || name.startsWith('payers.'));
      expect(seen, isFirst ? 'first' : 'later').toEqual(ofSale);
    }
  });

  test.each(['before', 'after'] as const)('behavior: it fails %s the release', async (when) => {
    const database = createFailingStore(await open());
    let skew = 0;
    let failing = true;
    const shop = await start({
      store: database.store,
      now: clock(() => skew),
      answer: async () => {
        if (failing) throw new NotFound('not there');
        return {};
      },
    });
    const payment = chain.pay();
    const text = header(chain, payment);
    const { earned: got } = await earned(chain, async () => {
      database.fail('payments.releaseClaims', when);
      expect([404, 500]).toContain((await shop.buy(text)).status);
      expect(database.failed()).toBe(true);
      failing = false;
      skew = 20;
      await shop.payments.reconciler.run();
      expectPaid(await shop.buy(text), payment);
    });
    expect(got).toBe(PRICE);
  });

  test('behavior: a request that loses the claim during the handler does not charge', async () => {
    let release = () => {};
    const gone = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stalled = await start({
      answer: async () => {
        await gone;
        return 'of the stalled';
      },
    });
    const payment = chain.pay();
    const text = header(chain, payment);
    const { earned: got } = await earned(chain, async () => {
      const first = stalled.buy(text);
      await expect.poll(stalled.runs).toBe(1);
      const other = await start({ now: clock(() => 20) });
      await other.payments.reconciler.run();
      expect(await other.row(payment)).toMatchObject({ state: 'released' });
      expectPaid(await other.buy(text), payment);
      release();
      const late = await first;
      expect(late.status).toBe(503);
      expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    });
    expect(got).toBe(PRICE);
  });

  test('behavior: two settle the same payment at once: charged once, both may respond', async () => {
    const { facilitator } = paymentsConfig(chain);
    const keys = (from: number) => ({
      facilitator: { ...facilitator, keys: chain.keys.slice(from, from + 2) } as typeof facilitator,
    });
    const slow = await start({ payments: keys(0) });
    let other: Awaited<ReturnType<typeof start>>;
    const payment = chain.pay();
    const text = header(chain, payment, { identifier: identifier() });
    const { result, earned: got } = await earned(chain, async () => {
      chain.hold(true);
      try {
        const first = slow.buy(text);
        await expect.poll(async () => (await slow.row(payment))?.state).toBe('settling');
        // Its clock is ahead, so the first one's lease has expired. Started earlier, it could release the claim by
        // itself.
        other = await start({ payments: keys(2), now: clock(() => 20) });
        const owner = (await slow.row(payment))?.owner;
        const second = other.buy(text);
        await expect.poll(async () => (await slow.row(payment))?.owner).not.toBe(owner);
        await expect
          .poll(() => chain.chain.rpc('eth_getBlockTransactionCountByNumber', ['pending']))
          .toBe('0x2');
        chain.hold(false);
        await chain.mine();
        return await Promise.all([first, second]);
      } finally {
        chain.hold(false);
      }
    });
    expect(got).toBe(PRICE);
    for (const reply of result) {
      expectPaid(reply, payment);
      expect(reply.body).toEqual(result[0]!.body);
    }
    expect(slow.runs() + other!.runs()).toBe(1);
  }, 60_000);
});
