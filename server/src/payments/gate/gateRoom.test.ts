import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import {
  earned,
  expectInvoice,
  expectPaid,
  header,
  type Reply,
} from '../../../test/paidTestServer.ts';
import { useShops, useTokenChain } from '../../../test/paidTests.ts';

const chain = useTokenChain({ payers: 1 });

describeAnyEngine('gate and the room of its store', (open) => {
  const start = useShops({ open, chain });

  function expectNoRoom(reply: Reply): void {
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toBe('60');
    expect(reply.headers['payment-required']).toBeUndefined();
    expect(JSON.parse(reply.body.toString()).detail).toMatch(/nothing was charged/);
  }

  test('behavior: without room nothing is quoted, claimed, or charged; paid responses are delivered', async () => {
    let hasRoom = true;
    const shop = await start({ hasRoom: () => hasRoom });
    // From now on, the URL's invoice is cached.
    expectInvoice(await shop.buy(), 'payment_required');
    const paid = chain.pay();
    const text = header(chain, paid, { identifier: 'room_0000000000000000' });
    const sold = await shop.buy(text);
    expectPaid(sold, paid);

    hasRoom = false;
    const late = chain.pay();
    const { earned: got } = await earned(chain, async () => {
      expectNoRoom(await shop.buy());
      expectNoRoom(await shop.buy(header(chain, late)));
      const again = await shop.buy(text);
      expectPaid(again, paid);
      expect(again.body).toEqual(sold.body);
    });
    expect(got).toBe(0n);
    expect(await shop.row(late)).toBeUndefined();
    expect(shop.runs()).toBe(1);

    hasRoom = true;
    expectPaid(await shop.buy(header(chain, late)), late);
  });
});
