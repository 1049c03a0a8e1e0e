import { beforeEach, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { useShops, useTokenChain } from '../../../test/paidTests.ts';
import { expectPaid, header, type Shop } from '../../../test/shop.ts';
import { type Address, lower } from '../../domain/hex.ts';
import type { Authorization } from '../authorization/payment.ts';

const chain = useTokenChain({ payers: 2 });

const BURST = 5;
const OTHER: Address = '0x00000000000000000000000000000000000000aa';
const STRANGER = { headers: { 'x-forwarded-for': '203.0.113.9' } };

describeAnyEngine('gate and replays in bulk', (open) => {
  let shop: Shop;
  let ahead: number;
  const start = useShops({
    open,
    chain,
    now: () => Math.floor(Date.now() / 1000) + ahead,
    // No bucket refills while a test runs.
    payments: { rateLimit: { perSecond: 0.0001, burst: BURST } },
    rateLimit: { perSecond: 0, burst: 0, loopback: false, trustedProxies: ['127.0.0.1'] },
  });
  beforeEach(async () => {
    ahead = 0;
    shop = await start();
  });
  const pay = (fields: Partial<Authorization> = {}) =>
    chain.pay({ validBefore: BigInt(chain.now() + ahead + 60), ...fields });
  let names = 0;
  const identifier = () => `flood_${String(names++).padStart(16, '0')}`;

  /** How often each status came. */
  async function replay(text: string, times: number): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    const replies = await Promise.all(
      Array.from({ length: times }, () => shop.buy(text, STRANGER)),
    );
    for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  test('default: replayed payments of a victim cost it nothing, whoever sends them', async () => {
    const named = identifier();
    const paid = [pay(), pay()];
    const texts = [header(chain, paid[0]!, { identifier: named }), header(chain, paid[1]!)];
    for (const [i, text] of texts.entries()) expectPaid(await shop.buy(text), paid[i]!);
    // As the chain shows them: without their names, each as often as one client may send it.
    for (const payment of paid) {
      expect(await replay(header(chain, payment), 12)).toEqual({ 402: BURST, 429: 12 - BURST });
    }
    // Paid elsewhere, or never sent anywhere and over: rejected before the signature is verified.
    expect(await replay(header(chain, pay({ to: OTHER })), 12)).toEqual({ 402: 12 });
    const over = pay({ validBefore: BigInt(chain.now() - 10) });
    expect(await replay(header(chain, over), 12)).toEqual({ 402: 12 });
    for (let i = paid.length; i < BURST; i++) {
      const payment = pay();
      expectPaid(await shop.buy(header(chain, payment)), payment);
    }
    // That was all that it may send at once; what it has paid for it still gets.
    const more = await shop.buy(header(chain, pay()));
    expect(more.status).toBe(429);
    expect(Number(more.headers['retry-after'])).toBeGreaterThan(0);
    for (let i = 0; i < BURST; i++) expectPaid(await shop.buy(texts[0]!), paid[0]!);
    expect((await shop.buy(texts[0]!)).status).toBe(429);
  });

  test('behavior: also those that have expired since', async () => {
    const paid = pay();
    expectPaid(await shop.buy(header(chain, paid)), paid);
    ahead = 300;
    expect(await replay(header(chain, paid), 12)).toEqual({ 402: BURST, 429: 12 - BURST });
    for (let i = 1; i < BURST; i++) {
      const payment = pay();
      expectPaid(await shop.buy(header(chain, payment)), payment);
    }
  });

  test('behavior: what only its payer has counts, whatever becomes of it', async () => {
    const { address, privateKey: key } = chain.payers[1]!;
    const payment = pay();
    const mine = chain.pay({ ...payment.authorization, from: lower(address), key, value: 7n });
    for (let i = 0; i < BURST; i++) {
      expect((await shop.buy(header(chain, mine))).status).toBe(402);
    }
    expect((await shop.buy(header(chain, mine))).status).toBe(429);
  });
});
