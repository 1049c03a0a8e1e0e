import { afterEach, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import type { FacilitatorFault } from '../../../test/facilitatorServer.ts';
import { type PaidServerOptions, PUBLIC_URL } from '../../../test/paidServer.ts';
import {
  earned,
  expectConflict,
  expectInvoice,
  expectPaid,
  header,
  type PaidTestServer,
} from '../../../test/paidTestServer.ts';
import { useFacilitatorServer, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import type { Listing } from '../facilitator/remote.ts';

const chain = useTokenChain({ payers: 1 });
const { embedded, server: service } = useFacilitatorServer(chain);
afterEach(() => service.mode('none'));

describeAnyEngine('gate and a service', (open) => {
  const openTestShop = useShops({ open, chain });
  function start(
    options: Partial<PaidServerOptions> & { timeout?: number } = {},
  ): Promise<PaidTestServer> {
    const { timeout = 20, ...rest } = options;
    const facilitator = {
      kind: 'remote' as const,
      url: service.url,
      headers: { authorization: 'Bearer hunter2' },
      timeoutSeconds: timeout,
      confirm: 'chain' as const,
      factories: [],
    };
    return openTestShop({ ...rest, payments: { facilitator, ...options.payments } });
  }
  let names = 0;
  const identifier = () => `remote_${String(names++).padStart(20, '0')}`;

  test('default: settles, and the money moves', async () => {
    const shop = await start();
    const payment = chain.pay();
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectPaid(result, payment);
    expect(got).toBe(PRICE);
    expectInvoice(await shop.buy(header(chain, payment)), 'payment_already_used');
  });

  test("behavior: the service gets the resource's description, lists it, and its listing status is passed on", async () => {
    const listings: Listing[] = [];
    const shop = await start({ onListing: (listing) => void listings.push(listing) });
    const payment = chain.pay();
    expectPaid(await shop.buy(header(chain, payment)), payment);
    expect([...service.listed]).toEqual([`${PUBLIC_URL}/api/v1/agent/node/:nodeId`]);
    expect(listings.length).toBeGreaterThan(0);
    for (const { url, status } of listings) {
      expect(url).toMatch(/^https:\/\/risk\.example\/api\/v1\/agent\/node\/./);
      expect(status).toBe('success');
    }
  });

  test.each<FacilitatorFault>(['down', 'garbage', 'http500'])(
    'behavior: %s when it verifies: 503, nothing run or charged, and valid later',
    async (fault) => {
      const shop = await start();
      const payment = chain.pay();
      const text = header(chain, payment);
      await service.mode(fault);
      const { result, earned: got } = await earned(chain, () => shop.buy(text));
      expect(result.status).toBe(503);
      expect(Number(result.headers['retry-after'])).toBeGreaterThan(0);
      expect(result.body.toString()).not.toMatch(/hunter2|127\.0\.0\.1|nginx/);
      expect(got).toBe(0n);
      expect(shop.runs()).toBe(0);
      expect(await shop.row(payment)).toMatchObject({ state: 'released' });
      await service.mode('none');
      expectPaid(await shop.buy(text), payment);
    },
  );

  // The service settled without reporting it; the chain shows the payment at once.
  test.each<FacilitatorFault>(['settle-then-500', 'settle-then-error', 'settle-then-garbage'])(
    'behavior: %s: served, charged once',
    async (fault) => {
      const shop = await start();
      const payment = chain.pay();
      const text = header(chain, payment, { identifier: identifier() });
      await service.mode(fault, 'settle');
      const { result, earned: got } = await earned(chain, async () => [
        await shop.buy(text),
        await shop.buy(text),
      ]);
      for (const reply of result) expectPaid(reply, payment);
      expect(result[1]!.body).toEqual(result[0]!.body);
      expect(got).toBe(PRICE);
      expect(shop.runs()).toBe(1);
    },
  );

  test('behavior: it settles and never responds: served after the timeout, charged once', async () => {
    const shop = await start({ timeout: 1.5 });
    const payment = chain.pay();
    await service.mode('settle-then-hang', 'settle');
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectPaid(result, payment);
    expect(got).toBe(PRICE);
  });

  test.each([true, false])(
    'behavior: it does nothing and never responds: open, then settled (named: %s)',
    async (named) => {
      const shop = await start({ timeout: 1.5 });
      const payment = chain.pay();
      const text = header(chain, payment, { ...(named && { identifier: identifier() }) });
      await service.mode('hang', 'settle');
      const { earned: got } = await earned(chain, async () => {
        const first = await shop.buy(text);
        expect(first.status).toBe(503);
        expect(Number(first.headers['retry-after'])).toBeGreaterThan(0);
        expect(await shop.row(payment)).toMatchObject({ state: 'unknown' });
        // The payment is not valid for another request or with another identifier.
        const path = '/api/v1/agent/node/other';
        const other = await shop.buy(text, { path });
        if (named) expectConflict(other);
        else expectInvoice(other, 'payment_used_for_other_request', { path });
        await service.mode('none');
        expectPaid(await shop.buy(text), payment);
      });
      expect(got).toBe(PRICE);
      expect(shop.runs()).toBe(1);
    },
  );

  test.each<FacilitatorFault>(['down', 'garbage', 'http500', 'lie'])(
    'behavior: %s when it settles: open, nothing charged, then settled',
    async (fault) => {
      const shop: PaidTestServer = await start({
        timeout: 3,
        answer: async () => {
          if (fault === 'down') await service.mode(fault);
          return { made: shop.runs() };
        },
      });
      const payment = chain.pay();
      const text = header(chain, payment);
      if (fault !== 'down') await service.mode(fault, 'settle');
      const { result, earned: got } = await earned(chain, () => shop.buy(text));
      expect(result.status).toBe(503);
      expect(result.body.toString()).not.toMatch(/hunter2|127\.0\.0\.1|nginx/);
      expect(got).toBe(0n);
      await service.mode('none');
      const { result: again, earned: then } = await earned(chain, () => shop.buy(text));
      expectPaid(again, payment);
      expect(then).toBe(PRICE);
      expect(shop.runs()).toBe(1);
    },
  );

  test('behavior: it settles long after it failed: found without a request, and delivered', async () => {
    const shop = await start({ timeout: 1.5 });
    const payment = chain.pay();
    const text = header(chain, payment);
    await service.mode('hang', 'settle');
    const { earned: got } = await earned(chain, async () => {
      expect((await shop.buy(text)).status).toBe(503);
      await shop.payments.reconciler.run();
      expect(await shop.row(payment)).toMatchObject({ state: 'unknown' });
      // The service now sends the requests that it had accepted.
      expect(await embedded.settle(payment)).toMatchObject({ outcome: 'settled' });
      await shop.payments.reconciler.run();
      expect(await shop.row(payment)).toMatchObject({ state: 'settled', deliveredAt: null });
      expectPaid(await shop.buy(text), payment);
    });
    expect(got).toBe(PRICE);
    expect(shop.runs()).toBe(1);
    expect(shop.payments.counts.read()).toEqual([{ route: 'node', calls: 1, value: PRICE }]);
  });

  test('behavior: slow, but it settles', async () => {
    const shop = await start();
    const payment = chain.pay();
    await service.mode({ slowMs: 800 });
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectPaid(result, payment);
    expect(got).toBe(PRICE);
  });
});
