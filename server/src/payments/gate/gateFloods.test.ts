import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createDatabase, describeAnyEngine, someOf } from '../../../test/database.ts';
import { expectPaid, header, type PaidTestServer } from '../../../test/paidTestServer.ts';
import { useShops, useTokenChain } from '../../../test/paidTests.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import type { Authorization } from '../authorization/payment.ts';

const chain = useTokenChain({ payers: 3 });

const BURST = 5;
const OTHER: Address = '0x00000000000000000000000000000000000000aa';
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const STRANGER = '203.0.113.9';

describeAnyEngine('gate and replays in bulk', (open) => {
  let shop: PaidTestServer;
  let ahead: number;
  const start = useShops({
    open,
    chain,
    now: () => Math.floor(Date.now() / 1000) + ahead,
    // Buckets do not refill while a test runs.
    payments: { rateLimit: { perSecond: 0.0001, burst: BURST } },
    rateLimit: { perSecond: 0, burst: 0, loopback: false, trustedProxies: ['127.0.0.1'] },
  });
  beforeEach(async () => {
    ahead = 0;
    shop = await start();
  });
  const pay = (fields: Partial<Authorization> & { readonly key?: Hex } = {}) =>
    chain.pay({ validBefore: BigInt(chain.now() + ahead + 60), ...fields });
  let names = 0;
  const identifier = () => `flood_${String(names++).padStart(16, '0')}`;

  /** Replays payments and counts each status. */
  async function replay(
    texts: string | readonly string[],
    times: number,
    { client = STRANGER, at = shop }: { client?: string; at?: PaidTestServer } = {},
  ): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    const sent = [texts].flat().flatMap((text) => Array<string>(times).fill(text));
    const replies = await Promise.all(sent.map((text) => at.buy(text, from(client))));
    for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  test('default: replayed payments of a victim cost it nothing, from any client', async () => {
    const named = identifier();
    const paid = [pay(), pay()];
    const texts = [header(chain, paid[0]!, { identifier: named }), header(chain, paid[1]!)];
    for (const [i, text] of texts.entries()) expectPaid(await shop.buy(text), paid[i]!);
    // Replays the payments as observers see them: without identifiers, as often as one client may repeat any.
    for (const [i, payment] of paid.entries()) {
      const client = `203.0.113.${10 + i}`;
      const counts = await replay(header(chain, payment), 12, { client });
      expect(counts).toEqual({ 402: BURST, 429: 12 - BURST });
    }
    // Paid elsewhere, or never sent and expired: rejected before the signature is verified.
    expect(await replay(header(chain, pay({ to: OTHER })), 12)).toEqual({ 402: 12 });
    const over = pay({ validBefore: BigInt(chain.now() - 10) });
    expect(await replay(header(chain, over), 12)).toEqual({ 402: 12 });
    for (let i = paid.length; i < BURST; i++) {
      const payment = pay();
      expectPaid(await shop.buy(header(chain, payment)), payment);
    }
    // The client's limit is used up; it still gets what it has paid for.
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

  test('behavior: a payment that only its payer has counts against it, with any result', async () => {
    const { address, privateKey: key } = chain.payers[1]!;
    const payment = pay();
    const mine = chain.pay({ ...payment.authorization, from: lower(address), key, value: 7n });
    for (let i = 0; i < BURST; i++) {
      expect((await shop.buy(header(chain, mine))).status).toBe(402);
    }
    expect((await shop.buy(header(chain, mine))).status).toBe(429);
  });

  test('behavior: a redelivery counts against the client, regardless of what it paid for', async () => {
    const burst = 20;
    const wide = await start({ payments: { rateLimit: { perSecond: 0.0001, burst } } });
    const texts: string[] = [];
    for (let i = 0; i < 12; i++) {
      const payment = pay();
      const text = header(chain, payment, { identifier: identifier() });
      expectPaid(await wide.buy(text), payment);
      texts.push(text);
    }
    for (const client of ['203.0.113.20', '203.0.113.21']) {
      const counts = await replay(texts, 20, { client, at: wide });
      expect(counts).toEqual({ 200: burst, 429: 12 * 20 - burst });
    }
  });

  const payers = [
    { payer: 'a new payer', bought: 0 },
    { payer: 'a payer that has settled here', bought: 1 },
  ];
  test.each(someOf('replays', payers, 1))(
    'behavior: a replay of a payment made elsewhere does not use up the limit of $payer',
    async ({ bought }) => {
      const { address, privateKey: key } = chain.payers[1 + bought]!;
      for (let i = 0; i < bought; i++) {
        const payment = pay({ from: lower(address), key });
        expectPaid(await shop.buy(header(chain, payment)), payment);
      }
      const other = await createDatabase('pglite');
      onTestFinished(other.drop);
      const elsewhere = await start({ store: await other.open() });
      const paid = pay({ from: lower(address), key });
      expectPaid(await elsewhere.buy(header(chain, paid)), paid);
      // The first request claims before the chain is read, so copies of it at that time are in progress.
      if (bought > 0) expect(await replay(header(chain, paid), 1)).toEqual({ 409: 1 });
      for (let i = 0; i < 4; i++) {
        for (const status of Object.keys(await replay(header(chain, paid), 12))) {
          // It paid this server, but was not sold here.
          expect(['409', '429']).toContain(status);
        }
      }
      for (let i = bought; i < BURST; i++) {
        const payment = pay({ from: lower(address), key });
        expectPaid(await shop.buy(header(chain, payment)), payment);
      }
      expect((await shop.buy(header(chain, pay({ from: lower(address), key })))).status).toBe(429);
    },
  );
});
