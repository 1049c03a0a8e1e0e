import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { earned, expectInvoice, expectPaid, header } from '../../../test/paidTestServer.ts';
import { useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { payments } from '../../store/payments/payments.ts';
import { paymentReports } from '../../store/payments/reports.ts';
import type { Store } from '../../store/store.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

const chain = useTokenChain({ payers: 2 });

describeAnyEngine('gate and deliveries', (open, database) => {
  let made = 0;
  // Every response differs, so that equal bytes can only be the stored ones.
  const start = useShops({ open, chain, answer: async () => ({ made: made++ }) });
  let names = 0;
  const identifier = () => `delivery_${String(names++).padStart(16, '0')}`;
  const later = (seconds: number) => () => Math.floor(Date.now() / 1000) + seconds;
  async function isListed({ authorization: { nonce } }: SignedAuthorization): Promise<boolean> {
    const listed = await paymentReports.getUndelivered(await open(), later(60)());
    return listed.some((row) => row.nonce === nonce);
  }

  function keyOf({ authorization: { from, nonce } }: SignedAuthorization) {
    const { chainId, asset } = chain.terms;
    return { chainId, asset, payer: from, nonce };
  }

  test('default: the same request with the same identifier gets the same bytes, charged once', async () => {
    const shop = await start();
    const payment = chain.pay();
    const text = header(chain, payment, { identifier: identifier() });
    const { result, earned: got } = await earned(chain, async () => [
      await shop.buy(text),
      await shop.buy(text),
      await shop.buy(text, { as: 'x-payment' }),
    ]);
    for (const reply of result) {
      expectPaid(reply, payment);
      expect(reply.body).toEqual(result[0]!.body);
    }
    expect(got).toBe(PRICE);
    expect(shop.runs()).toBe(1);
    // The delivery is recorded after the last byte.
    await expect.poll(() => isListed(payment)).toBe(false);
    expectInvoice(await shop.buy(header(chain, payment)), 'payment_already_used');
  });

  test('behavior: also after the authorization expired, until the response expires', async () => {
    const shop = await start();
    const payment = chain.pay();
    const text = header(chain, payment, { identifier: identifier() });
    const first = await shop.buy(text);
    expectPaid(first, payment);
    const hour = await start({ now: later(3_600) });
    const again = await hour.buy(text);
    expectPaid(again, payment);
    expect(again.body).toEqual(first.body);
    const day = await start({ now: later(86_400 + 60) });
    await expect.poll(async () => (await day.row(payment))?.answer).toBe(null);
    expectInvoice(await day.buy(text), 'payment_already_used');
    expect(hour.runs() + day.runs()).toBe(0);
    expect(await day.row(payment)).toMatchObject({ state: 'settled' });
  });

  test.each([false, true])(
    'behavior: the client disconnects during the handler, and retries (named: %s)',
    async (named) => {
      let release = () => {};
      const gone = new Promise<void>((resolve) => {
        release = resolve;
      });
      const shop = await start({
        answer: async () => {
          await gone;
          return { made: made++ };
        },
      });
      const payment = chain.pay();
      const text = header(chain, payment, { ...(named && { identifier: identifier() }) });
      const { earned: got } = await earned(chain, async () => {
        const client = new AbortController();
        const first = shop.buy(text, { signal: client.signal });
        await expect.poll(shop.runs).toBe(1);
        client.abort();
        await expect(first).rejects.toThrow();
        release();
        await expect
          .poll(async () => (await shop.row(payment))?.state, { timeout: 10_000 })
          .toBe('settled');
        expect(await isListed(payment)).toBe(true);
        expectPaid(await shop.buy(text), payment);
        await expect.poll(() => isListed(payment)).toBe(false);
        const third = await shop.buy(text);
        if (named) expectPaid(third, payment);
        else expectInvoice(third, 'payment_already_used');
      });
      expect(got).toBe(PRICE);
      expect(shop.runs()).toBe(1);
    },
  );

  test('behavior: the client disconnects during the settlement, and retries', async () => {
    const shop = await start();
    const payment = chain.pay();
    const text = header(chain, payment);
    const { earned: got } = await earned(chain, async () => {
      chain.hold(true);
      const client = new AbortController();
      const first = shop.buy(text, { signal: client.signal });
      await expect
        .poll(async () => (await shop.row(payment))?.state, { timeout: 10_000 })
        .toBe('settling');
      client.abort();
      await expect(first).rejects.toThrow();
      expectInvoice(await shop.buy(text), 'payment_in_progress');
      chain.hold(false);
      await chain.mine();
      await expect
        .poll(
          async () => {
            await chain.mine();
            return (await shop.row(payment))?.state;
          },
          { timeout: 20_000, interval: 200 },
        )
        .toBe('settled');
      expect(await isListed(payment)).toBe(true);
      const [one, two] = await Promise.all([shop.buy(text), shop.buy(text)]);
      const served = [one, two].filter(({ status }) => status === 200);
      expect(served.length).toBe(1);
    });
    expect(got).toBe(PRICE);
    expect(shop.runs()).toBe(1);
  });

  test('behavior: a duplicate that read the row before another was served is not served', async () => {
    const store = await open();
    let release = () => {};
    let held: Promise<void> | undefined;
    let looked = 0;
    const slow: Store = {
      ...store,
      async query(statement, params) {
        const waiting = statement.name.startsWith('payments.byKeys') ? held : undefined;
        const rows = await store.query<never>(statement, params);
        if (waiting !== undefined) looked++;
        await waiting;
        return rows;
      },
    };
    let answered = () => {};
    const gone = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const shop = await start({
      store: slow,
      answer: async () => {
        await gone;
        return {};
      },
    });
    const payment = chain.pay();
    const text = header(chain, payment);
    const { earned: got } = await earned(chain, async () => {
      const client = new AbortController();
      const lost = shop.buy(text, { signal: client.signal });
      await expect.poll(shop.runs).toBe(1);
      client.abort();
      await expect(lost).rejects.toThrow();
      answered();
      await expect
        .poll(async () => (await payments.find(store, keyOf(payment)))?.state, { timeout: 10_000 })
        .toBe('settled');
      held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const early = shop.buy(text);
      await expect.poll(() => looked).toBe(1);
      held = undefined;
      expectPaid(await shop.buy(text), payment);
      await expect.poll(() => isListed(payment)).toBe(false);
      release();
      expectInvoice(await early, 'payment_already_used');
    });
    expect(got).toBe(PRICE);
  });

  test('behavior: a response that one server could not deliver is delivered by another', async () => {
    if (database().engine === 'pglite') return;
    let release = () => {};
    const gone = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = await start({
      store: await database().open(),
      answer: async () => {
        await gone;
        return 'of the first';
      },
    });
    const payment = chain.pay();
    const text = header(chain, payment);
    const client = new AbortController();
    const lost = first.buy(text, { signal: client.signal });
    await expect.poll(first.runs).toBe(1);
    client.abort();
    await expect(lost).rejects.toThrow();
    release();
    await expect
      .poll(async () => (await first.row(payment))?.state, { timeout: 10_000 })
      .toBe('settled');
    // While the first server may still be sending it, the second responds that the status is unknown.
    const second = await start();
    const early = await second.buy(text);
    expect(early.status).toBe(503);
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
    const third = await start({ now: later(20) });
    const { result, earned: got } = await earned(chain, () => third.buy(text));
    expectPaid(result, payment);
    expect(result.body.toString()).toBe('"of the first"');
    expect(got).toBe(0n);
    expect(second.runs() + third.runs()).toBe(0);
  });
});
