import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { createFailingStore } from '../../../test/failingStore.ts';
import { earned, expectInvoice, expectPaid, header } from '../../../test/paidTestServer.ts';
import { useShop, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { paymentReports } from '../../store/payments/reports.ts';
import { PaymentsLost } from '../settlement/paymentsLost.ts';

describeAnyEngine('gate and expiry', (open) => {
  // One for each engine, because its clock is moved forward.
  const chain = useTokenChain({ payers: 1 });
  const shop = useShop({ open, chain });
  const start = useShops({ open, chain });
  let skew = 0;
  /** For another server; the first one's clock stays behind. */
  const now = () => Math.floor(Date.now() / 1000) + skew;

  test('default: a payment that was never mined is released after its expiry, and not before', async () => {
    const payment = chain.pay();
    const text = header(chain, payment);
    // Accepted by the RPC endpoint, and dropped: the sender keeps resending.
    chain.lose(1_000);
    const { earned: got } = await earned(chain, async () => {
      const client = new AbortController();
      const waiting = shop.buy(text, { signal: client.signal }).catch(() => undefined);
      await expect.poll(async () => (await shop.row(payment))?.state).toBe('settling');
      client.abort();
      await waiting;
      // To another server the first one's lease has expired.
      skew = 100;
      const other = await start({ now });
      // Expired by the server's clock, but not yet by the chain's.
      expect(await other.payments.reconciler.run()).toMatchObject({ released: 0, open: 1 });
      const early = await other.buy(text);
      expect(early.status).toBe(503);
      skew = 130;
      expect(await other.payments.reconciler.run()).toMatchObject({ released: 0 });
      await chain.mine(now());
      skew = 150;
      await expect
        .poll(
          async () => {
            await other.payments.reconciler.run();
            return (await other.row(payment))?.state;
          },
          { timeout: 10_000 },
        )
        .toBe('released');
      expectInvoice(await other.buy(text), 'authorization_expired');
      expect(other.runs()).toBe(0);
    });
    chain.lose(0);
    expect(got).toBe(0n);
    expect(shop.runs()).toBe(1);
  }, 60_000);

  test('behavior: served, its settlement never recorded, and then removed by a reorg: lost', async () => {
    const database = createFailingStore(await open());
    const at = now();
    // Its leases never expire, so that no process reads its status before the chain has changed.
    const first = await start({ store: database.store, now: () => at });
    const payment = chain.pay({ validBefore: BigInt(at + 60) });
    const text = header(chain, payment);
    database.fail('payments.settle', 'before');
    expectPaid(await first.buy(text), payment);
    expect(database.failed()).toBe(true);
    await expect.poll(async () => (await first.row(payment))?.deliveredAt).toBe(at);
    await first.close();
    const { transaction } = (await first.row(payment))!;
    expect(await first.row(payment)).toMatchObject({ state: 'settling', settledAt: null });
    expect(transaction).not.toBeNull();
    await chain.chain.reorg({ depth: 1, blocks: [{ timestamp: now() }, { timestamp: now() }] });
    skew += 150;
    await chain.mine(now());
    const second = await start({ now });
    await second.payments.reconciler.run();
    await expect.poll(() => second.row(payment)).toMatchObject({ state: 'lost', transaction });
    await expect.poll(() => second.errors).toContainEqual(expect.any(PaymentsLost));
    const lost = await paymentReports.getLost(await open(), 10);
    expect(lost.map(({ nonce }) => nonce)).toEqual([payment.authorization.nonce]);
    expect(await second.payments.finality.run()).toMatchObject({ missing: 0 });
    expectInvoice(await second.buy(text), 'payment_lost');
  }, 60_000);
});
