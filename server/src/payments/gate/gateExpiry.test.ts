import { beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { createFailingStore } from '../../../test/failingStore.ts';
import { createFaultyRpc } from '../../../test/faultyRpc.ts';
import { earned, expectInvoice, expectPaid, header } from '../../../test/paidTestServer.ts';
import { useResource, useShop, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import { paymentReports } from '../../store/payments/reports.ts';
import { PaymentsLost } from '../settlement/paymentsLost.ts';

const POLL = { timeout: 20_000 };

describeAnyEngine('gate and expiry', (open) => {
  // One chain for each engine, because its clock is moved forward.
  const chain = useTokenChain({ payers: 1 });
  const reads = useResource(() => createFaultyRpc({ target: chain.url }));
  const shop = useShop({ open, chain });
  const start = useShops({ open, chain });
  let skew = 0;
  /** The clock of another server; the first one's clock stays behind. */
  const now = () => Math.floor(Date.now() / 1000) + skew;

  test('default: a payment that was never mined is released after its expiry, and not before', async () => {
    const payment = chain.pay();
    const text = header(chain, payment);
    // The RPC endpoint accepts the transaction and drops it: the sender keeps resending.
    chain.lose(1_000);
    const { earned: got } = await earned(chain, async () => {
      const client = new AbortController();
      const waiting = shop.buy(text, { signal: client.signal }).catch(() => undefined);
      await expect.poll(async () => (await shop.row(payment))?.state).toBe('settling');
      client.abort();
      await waiting;
      // On another server's clock, the first one's lease has expired.
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

  test('error: an expired payment whose state cannot be read stays open, and is settled when it can', async () => {
    const database = createFailingStore(await open());
    const at = now();
    const first = await start({ store: database.store, now: () => at });
    const payment = chain.pay({ validBefore: BigInt(at + 60) });
    database.fail('payments.settle', 'before');
    expectPaid(await first.buy(header(chain, payment)), payment);
    await expect.poll(async () => (await first.row(payment))?.deliveredAt).toBe(at);
    await first.close();
    skew += 150;
    await chain.mine(now());
    // The head can be read, but the state cannot.
    await reads.mode({ kind: 'http500' }, { only: ['eth_call'] });
    const second = await start({ rpcUrl: reads.url, now });
    expect(await second.payments.reconciler.run()).toMatchObject({ released: 0, open: 1 });
    expect(await second.row(payment)).toMatchObject({ state: 'settling' });
    await reads.mode({ kind: 'none' });
    await second.payments.reconciler.run();
    expect(await second.row(payment)).toMatchObject({ state: 'settled' });
    expect(second.errors).not.toContainEqual(expect.any(PaymentsLost));
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

// A separate ledger, because the payments of one chain are lost on another.
describeAnyEngine('gate and expiry on a chain that mines on arrival only', (open) => {
  const idle = useTokenChain({ payers: 1 });
  const rpc = useResource(() => createFaultyRpc({ target: idle.url }));
  /** The newest final block. */
  let final = 0;
  beforeAll(() => {
    const { controls, rpc: send } = idle.chain;
    controls.set('eth_getBlockByNumber', ([block, full]) =>
      send('eth_getBlockByNumber', [block === 'finalized' ? hexQuantity(final) : block, full]),
    );
  });
  const start = useShops({ open, chain: idle });

  test.each([
    ['and the same process continues', false],
    ['and another process takes over', true],
  ])(
    'behavior: no broadcast succeeds until it has expired, %s: released by the only block that follows',
    async (_, isTaken) => {
      const database = createFailingStore(await open());
      await rpc.mode({ kind: 'http500' }, { only: ['eth_sendRawTransaction'] });
      let ahead = 0;
      const at = () => idle.now() + ahead;
      // Its clock stays, so that a slow start does not use up the time to send it.
      const signedAt = idle.now();
      const first = await start({ rpcUrl: rpc.url, now: () => signedAt });
      const payment = idle.pay({ validBefore: BigInt(signedAt + 8) });
      const text = header(idle, payment);
      const { earned: got } = await earned(idle, async () => {
        const client = new AbortController();
        const waiting = first.buy(text, { signal: client.signal }).catch(() => undefined);
        const before = rpc.requests.length;
        const isSent = () =>
          rpc.requests.slice(before).some(({ method }) => method === 'eth_sendRawTransaction');
        await expect.poll(isSent, POLL).toBe(true);
        const expired = () => idle.now() > Number(payment.authorization.validBefore);
        await expect.poll(expired, POLL).toBe(true);
        const second = await start({ store: database.store, now: at });
        if (isTaken) {
          client.abort();
          await idle.mine();
        } else {
          await rpc.mode({ kind: 'none' });
          // It fails on chain now, which uses its nonce.
          expectInvoice((await waiting)!, 'authorization_expired');
          expect((await second.buy(text)).status).toBe(503);
        }
        // The database is lost for a moment, just when it is to be released.
        database.fail('payments.releaseUnpaid', 'before');
        ahead = 65;
        // A reorg may still include it.
        expect(await second.payments.reconciler.run()).toMatchObject({ released: 0, open: 1 });
        final = idle.chain.tip.number;
        const state = async () => {
          await second.payments.reconciler.run().catch(() => {});
          return (await second.row(payment))?.state;
        };
        await expect.poll(state, POLL).toBe('released');
        expect(database.failed()).toBe(true);
        expect(await second.row(payment)).toMatchObject({ state: 'released', answer: null });
        expectInvoice(await second.buy(text), 'authorization_expired');
        expect(second.runs()).toBe(0);
        await rpc.mode({ kind: 'none' });
      });
      expect(got).toBe(0n);
      const third = await start();
      const again = idle.pay();
      const { result, earned: then } = await earned(idle, () => third.buy(header(idle, again)));
      expectPaid(result, again);
      expect(then).toBe(PRICE);
    },
    60_000,
  );
});
