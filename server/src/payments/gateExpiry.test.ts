import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine } from '../../test/database.ts';
import { earned, expectInvoice, header, openShop, type Shop } from '../../test/shop.ts';
import { createTokenChain, type TokenChain } from '../../test/tokenChain.ts';

/** One for each engine, because its clock is put forward. */
let chain: TokenChain;

describeEachEngine('gate and expiry', (open) => {
  let shop: Shop;
  let skew = 0;
  /** Of another server; the first one's clock stays behind. */
  const now = () => Math.floor(Date.now() / 1000) + skew;
  beforeAll(async () => {
    chain = await createTokenChain({ payers: 1 });
    shop = await openShop({ store: await open(), chain });
  }, 60_000);
  afterAll(async () => {
    await shop?.close();
    await chain?.close();
  });

  test('default: what nobody mined is let go after its end, and not before', async () => {
    const payment = chain.pay();
    const text = header(chain, payment);
    // Taken by the node, and forgotten: the sender tries again and again.
    chain.lose(1_000);
    const { earned: got } = await earned(chain, async () => {
      const client = new AbortController();
      const waiting = shop.buy(text, { signal: client.signal }).catch(() => undefined);
      await expect.poll(async () => (await shop.row(payment))?.state).toBe('settling');
      client.abort();
      await waiting;
      // To another server the first one's lease is over.
      skew = 100;
      const other = await openShop({ store: await open(), chain, now });
      try {
        // Its end has passed on our clock, but not yet on the chain's.
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
      } finally {
        await other.close();
      }
    });
    chain.lose(0);
    expect(got).toBe(0n);
    expect(shop.runs()).toBe(1);
  }, 60_000);
});
