import { afterEach, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { useShops, useTokenChain } from '../../../test/paidTests.ts';
import {
  expectConflict,
  expectPaid,
  header,
  NODE,
  type Reply,
  type Shop,
} from '../../../test/shop.ts';
import { paymentReports } from '../../store/payments/reports.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

const chain = useTokenChain({ payers: 1 });

/** Behind a proxy that tells who asks. */
const rateLimit = { perSecond: 0, burst: 0, loopback: false, trustedProxies: ['127.0.0.1'] };
const OWN = { headers: { 'x-forwarded-for': '198.51.100.7' } };
const STRANGER = { headers: { 'x-forwarded-for': '203.0.113.9' } };
/** Where it was used, and where it was not. */
const PATHS = [NODE, `${NODE}2`];

// Whoever watches the chain has every authorization that was sent, with its signature.
describeAnyEngine('gate and who watches the chain', (open) => {
  const start = useShops({ open, chain, rateLimit });
  afterEach(async () => {
    chain.hold(false);
    await chain.mine();
  });
  const later = (seconds: number) => () => Math.floor(Date.now() / 1000) + seconds;
  let names = 0;
  const identifier = () => `stranger_${String(names++).padStart(16, '0')}`;

  /** Charged, and its client was gone before the answer was made. */
  async function loseAnswer(payment: SignedAuthorization, text: string): Promise<Shop> {
    let go = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    const shop = await start({
      answer: async () => {
        await gone;
        return { secret: 42 };
      },
    });
    const client = new AbortController();
    const lost = shop.buy(text, { ...OWN, signal: client.signal });
    await expect.poll(shop.runs).toBe(1);
    client.abort();
    await expect(lost).rejects.toThrow();
    go();
    const state = async () => (await shop.row(payment))?.state;
    await expect.poll(state, { timeout: 10_000 }).toBe('settled');
    return shop;
  }

  async function isListed({ authorization: { nonce } }: SignedAuthorization): Promise<boolean> {
    const listed = await paymentReports.getUndelivered(await open(), later(100)());
    return listed.some((row) => row.nonce === nonce);
  }

  /** What somebody is told at the right place and at a wrong one. */
  async function ask(shop: Shop, text: string, who: typeof OWN): Promise<string[]> {
    const replies = await Promise.all(PATHS.map((path) => shop.buy(text, { ...who, path })));
    return replies.map(told);
  }

  test('default: an undelivered answer waits for its own client, and for nobody else', async () => {
    const payment = chain.pay();
    const text = header(chain, payment);
    const shop = await loseAnswer(payment, text);
    const refused = ['402 payment_already_used', '402 payment_already_used'];
    expect(await ask(shop, text, STRANGER)).toEqual(refused);
    expect(await isListed(payment)).toBe(true);
    const reply = await shop.buy(text, OWN);
    expectPaid(reply, payment);
    expect(reply.body.toString()).toBe('{"secret":42}');
    await expect.poll(() => isListed(payment)).toBe(false);
    expect(await ask(shop, text, STRANGER)).toEqual(refused);
  });

  test('behavior: after a minute it waits for nobody, and is still to be refunded', async () => {
    const [early, late] = [chain.pay(), chain.pay()];
    const settledAt: number[] = [];
    for (const payment of [early, late]) {
      const shop = await loseAnswer(payment, header(chain, payment));
      settledAt.push((await shop.row(payment))!.settledAt!);
    }
    const soon = await start({ now: () => settledAt[0]! + 59 });
    expectPaid(await soon.buy(header(chain, early), OWN), early);
    const after = await start({ now: () => settledAt[1]! + 60 });
    expect(await ask(after, header(chain, late), OWN)).toEqual([
      '402 payment_already_used',
      '402 payment_already_used',
    ]);
    expect(await isListed(late)).toBe(true);
    await expect.poll(() => isListed(early)).toBe(false);
  });

  test('behavior: what has a name goes to who knows it', async () => {
    const payment = chain.pay();
    const name = identifier();
    const text = header(chain, payment, { identifier: name });
    const shop = await loseAnswer(payment, text);
    for (const who of [STRANGER, OWN]) {
      const unnamed = await ask(shop, header(chain, payment), who);
      expect(unnamed).toEqual(['402 payment_already_used', '402 payment_already_used']);
      const guessed = header(chain, payment, { identifier: identifier() });
      const conflict = '409 payment_identifier_conflict';
      expect(await ask(shop, guessed, who)).toEqual([conflict, conflict]);
    }
    expect(await isListed(payment)).toBe(true);
    // Its payer may be anywhere by now, and come late.
    const hour = await start({ now: later(3_600) });
    expectConflict(await hour.buy(text, { ...STRANGER, path: PATHS[1]! }));
    for (let i = 0; i < 2; i++) expectPaid(await hour.buy(text, STRANGER), payment);
    await expect.poll(() => isListed(payment)).toBe(false);
  });

  test('behavior: also while it is being settled, and while nobody knows', async () => {
    const shop = await start();
    const payment = chain.pay();
    const text = header(chain, payment);
    chain.hold(true);
    const client = new AbortController();
    const first = shop.buy(text, { ...OWN, signal: client.signal }).catch(() => undefined);
    const state = async () => (await shop.row(payment))?.state;
    await expect.poll(state, { timeout: 10_000 }).toBe('settling');
    const working = '402 payment_in_progress';
    expect(await ask(shop, text, STRANGER)).toEqual([working, working]);
    client.abort();
    await first;
    // To another server the first one's lease is over: nobody works on it.
    const other = await start({ now: later(20) });
    expect(await ask(other, text, STRANGER)).toEqual(['503', '503']);
    expect(await state()).toBe('settling');
  });
});

function told({ status, body }: Reply): string {
  const { error, code } = JSON.parse(body.toString()) as { error?: string; code?: string };
  return [status, error ?? code].filter((part) => part !== undefined).join(' ');
}
