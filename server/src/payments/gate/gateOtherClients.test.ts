import { afterEach, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import {
  expectConflict,
  expectPaid,
  header,
  NODE,
  type PaidTestServer,
  type Reply,
} from '../../../test/paidTestServer.ts';
import { useShops, useTokenChain } from '../../../test/paidTests.ts';
import { paymentReports } from '../../store/payments/reports.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

const chain = useTokenChain({ payers: 1 });

/** Behind a proxy that forwards the client's address. */
const rateLimit = { perSecond: 0, burst: 0, loopback: false, trustedProxies: ['127.0.0.1'] };
const OWN_CLIENT = { headers: { 'x-forwarded-for': '198.51.100.7' } };
const OTHER_CLIENT = { headers: { 'x-forwarded-for': '203.0.113.9' } };
/** The request that the payment was used for, and another one. */
const PATHS = [NODE, `${NODE}2`];

// Every client that watches the chain has the authorizations that were sent, with their signatures.
describeAnyEngine('gate and clients that watch the chain', (open) => {
  const start = useShops({ open, chain, rateLimit });
  afterEach(async () => {
    chain.hold(false);
    await chain.mine();
  });
  const later = (seconds: number) => () => Math.floor(Date.now() / 1000) + seconds;
  let names = 0;
  const identifier = () => `stranger_${String(names++).padStart(16, '0')}`;

  /** Charges a payment whose client disconnected before the response was computed. */
  async function loseAnswer(payment: SignedAuthorization, text: string): Promise<PaidTestServer> {
    let release = () => {};
    const gone = new Promise<void>((resolve) => {
      release = resolve;
    });
    const shop = await start({
      answer: async () => {
        await gone;
        return { secret: 42 };
      },
    });
    const client = new AbortController();
    const lost = shop.buy(text, { ...OWN_CLIENT, signal: client.signal });
    await expect.poll(shop.runs).toBe(1);
    client.abort();
    await expect(lost).rejects.toThrow();
    release();
    const state = async () => (await shop.row(payment))?.state;
    await expect.poll(state, { timeout: 10_000 }).toBe('settled');
    return shop;
  }

  async function isListed({ authorization: { nonce } }: SignedAuthorization): Promise<boolean> {
    const listed = await paymentReports.getUndelivered(await open(), later(100)());
    return listed.some((row) => row.nonce === nonce);
  }

  /** Returns the responses to a client for the right request and for another one. */
  async function request(
    shop: PaidTestServer,
    text: string,
    who: typeof OWN_CLIENT,
  ): Promise<string[]> {
    const replies = await Promise.all(PATHS.map((path) => shop.buy(text, { ...who, path })));
    return replies.map(summarize);
  }

  test('default: an undelivered response is available to its own client only', async () => {
    const payment = chain.pay();
    const text = header(chain, payment);
    const shop = await loseAnswer(payment, text);
    const refused = ['402 payment_already_used', '402 payment_already_used'];
    expect(await request(shop, text, OTHER_CLIENT)).toEqual(refused);
    expect(await isListed(payment)).toBe(true);
    const reply = await shop.buy(text, OWN_CLIENT);
    expectPaid(reply, payment);
    expect(reply.body.toString()).toBe('{"secret":42}');
    await expect.poll(() => isListed(payment)).toBe(false);
    expect(await request(shop, text, OTHER_CLIENT)).toEqual(refused);
  });

  test('behavior: after a minute it is no longer available, and still to be refunded', async () => {
    const [early, late] = [chain.pay(), chain.pay()];
    const settledAt: number[] = [];
    for (const payment of [early, late]) {
      const shop = await loseAnswer(payment, header(chain, payment));
      settledAt.push((await shop.row(payment))!.settledAt!);
    }
    const soon = await start({ now: () => settledAt[0]! + 59 });
    expectPaid(await soon.buy(header(chain, early), OWN_CLIENT), early);
    const after = await start({ now: () => settledAt[1]! + 60 });
    expect(await request(after, header(chain, late), OWN_CLIENT)).toEqual([
      '402 payment_already_used',
      '402 payment_already_used',
    ]);
    expect(await isListed(late)).toBe(true);
    await expect.poll(() => isListed(early)).toBe(false);
  });

  test('behavior: a payment with an identifier goes to clients that have the identifier', async () => {
    const payment = chain.pay();
    const name = identifier();
    const text = header(chain, payment, { identifier: name });
    const shop = await loseAnswer(payment, text);
    for (const who of [OTHER_CLIENT, OWN_CLIENT]) {
      const unnamed = await request(shop, header(chain, payment), who);
      expect(unnamed).toEqual(['402 payment_already_used', '402 payment_already_used']);
      const guessed = header(chain, payment, { identifier: identifier() });
      const conflict = '409 payment_identifier_conflict';
      expect(await request(shop, guessed, who)).toEqual([conflict, conflict]);
    }
    expect(await isListed(payment)).toBe(true);
    // The payer may have another address by now, and return late.
    const hour = await start({ now: later(3_600) });
    expectConflict(await hour.buy(text, { ...OTHER_CLIENT, path: PATHS[1]! }));
    for (let i = 0; i < 2; i++) expectPaid(await hour.buy(text, OTHER_CLIENT), payment);
    await expect.poll(() => isListed(payment)).toBe(false);
  });

  test('behavior: also while it is being settled, and while its status is unknown', async () => {
    const shop = await start();
    const payment = chain.pay();
    const text = header(chain, payment);
    chain.hold(true);
    const client = new AbortController();
    const first = shop.buy(text, { ...OWN_CLIENT, signal: client.signal }).catch(() => undefined);
    const state = async () => (await shop.row(payment))?.state;
    await expect.poll(state, { timeout: 10_000 }).toBe('settling');
    const working = '402 payment_in_progress';
    expect(await request(shop, text, OTHER_CLIENT)).toEqual([working, working]);
    client.abort();
    await first;
    // On another server's clock, the first one's lease has expired, so no process works on the payment.
    const other = await start({ now: later(20) });
    const unknown = '503 payment_status_unknown';
    expect(await request(other, text, OTHER_CLIENT)).toEqual([unknown, unknown]);
    expect(await state()).toBe('settling');
  });
});

function summarize({ status, body }: Reply): string {
  const { error, code } = JSON.parse(body.toString()) as { error?: string; code?: string };
  return [status, error ?? code].filter((part) => part !== undefined).join(' ');
}
