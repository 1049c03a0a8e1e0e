import { describe, expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { PUBLIC_URL } from '../../../test/paidServer.ts';
import { base64, earned, expectInvoice, header, NODE, wire } from '../../../test/paidTestServer.ts';
import { useShop, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { addressOf, signDigest } from '../authorization/curve.ts';
import { createDigest } from '../authorization/digest.ts';

const chain = useTokenChain({ payers: 3 });
const { open } = useDatabase('pglite');
const shop = useShop({ open, chain });
const start = useShops({ open, chain });

/** Expects that no money moved, no handler ran, and nothing was recorded. */
async function expectRefused(
  payment: { header: string; from?: Address; nonce?: Hex },
  code: string,
): Promise<void> {
  const runs = shop.runs();
  const before = await countRows();
  const { result, earned: value } = await earned(chain, () => shop.buy(payment.header));
  expectInvoice(result, code);
  expect(value).toBe(0n);
  expect(shop.runs()).toBe(runs);
  expect(await countRows()).toEqual(before);
  expect(shop.errors).toEqual([]);
}

/** Counts the payments that were not released at once. */
async function countRows(): Promise<unknown> {
  const sql = 'select count(*) as "rows" from payment where state <> 4';
  return (await open()).query({ name: 'test.countPayments', text: sql });
}

describe('gate rejects', () => {
  test('default: no payment', async () => {
    expectInvoice(await shop.buy(), 'payment_required');
    // The second response is sent before routing.
    expectInvoice(await shop.buy(), 'payment_required');
    expectInvoice(await shop.buy(undefined, { method: 'HEAD' }), 'payment_required', {
      head: true,
    });
    expect(shop.runs()).toBe(0);
  });

  const now = () => Math.floor(Date.now() / 1000);
  const other: Address = '0x00000000000000000000000000000000000000aa';
  const cases: Record<string, [code: string, make: () => string]> = {
    'a wrong recipient': [
      'invalid_recipient',
      () => header(chain, chain.pay({ to: other }), { accepted: { payTo: chain.terms.payTo } }),
    ],
    'terms with a wrong recipient': [
      'invalid_pay_to',
      () => header(chain, chain.pay(), { accepted: { payTo: other } }),
    ],
    'a wrong network': [
      'invalid_network',
      () => header(chain, chain.pay(), { accepted: { network: 'eip155:1' } }),
    ],
    'a wrong asset': [
      'invalid_asset',
      () => header(chain, chain.pay(), { accepted: { asset: other } }),
    ],
    'a wrong scheme': [
      'invalid_scheme',
      () => header(chain, chain.pay(), { accepted: { scheme: 'upto' } }),
    ],
    'too little': ['invalid_amount', () => header(chain, chain.pay({ value: PRICE - 1n }))],
    'too much': ['invalid_amount', () => header(chain, chain.pay({ value: PRICE + 1n }))],
    'the price of another resource': [
      'invalid_amount',
      () => header(chain, chain.pay({ value: 1_000n })),
    ],
    'an escalated price that this payer does not have': [
      'invalid_amount',
      () => header(chain, chain.pay({ value: PRICE * 5n })),
    ],
    'another amount accepted than signed': [
      'invalid_amount',
      () => header(chain, chain.pay(), { accepted: { amount: '1' } }),
    ],
    'an amount that is no text': [
      'invalid_amount',
      () => header(chain, chain.pay(), { accepted: { amount: Number(PRICE) } }),
    ],
    'an expired one': [
      'authorization_expired',
      () => header(chain, chain.pay({ validBefore: BigInt(now() - 1) })),
    ],
    'one about to expire': [
      'authorization_expired',
      () => header(chain, chain.pay({ validBefore: BigInt(now() + 3) })),
    ],
    'one not yet valid': [
      'authorization_not_yet_valid',
      () => header(chain, chain.pay({ validAfter: BigInt(now() + 30) })),
    ],
    'one valid for a year': [
      'authorization_valid_too_long',
      () => header(chain, chain.pay({ validBefore: BigInt(now() + 31_536_000) })),
    ],
    'one valid for ever': [
      'authorization_valid_too_long',
      () => header(chain, chain.pay({ validBefore: 2n ** 256n - 1n })),
    ],
    'a changed signature': [
      'invalid_signature',
      () => {
        const payment = chain.pay();
        const first = Number(payment.signature.slice(0, 4)) ^ 0xff;
        const signature: Hex = `0x${first.toString(16).padStart(2, '0')}${payment.signature.slice(4)}`;
        return header(chain, { ...payment, signature });
      },
    ],
    'a signature of another chain': [
      'invalid_signature',
      () => {
        const { authorization } = chain.pay();
        const digest = createDigest({ ...chain.terms, chainId: 1 })(authorization);
        const signature = signDigest(chain.payers[0]!.privateKey, digest);
        return header(chain, { authorization, signature });
      },
    ],
    'a signature for another token': [
      'invalid_signature',
      () => {
        const { authorization } = chain.pay();
        const digest = createDigest({ ...chain.terms, asset: other })(authorization);
        const signature = signDigest(chain.payers[0]!.privateKey, digest);
        return header(chain, { authorization, signature });
      },
    ],
    'a forged payer': [
      'invalid_signature',
      () => header(chain, chain.pay({ key: chain.payers[1]!.privateKey })),
    ],
    'a changed nonce': [
      'invalid_signature',
      () => header(chain, chain.pay(), { authorization: { nonce: `0x${'12'.repeat(32)}` } }),
    ],
    'a payer without money': [
      'insufficient_funds',
      () => {
        const key: Hex = `0x${'42'.repeat(32)}`;
        return header(chain, chain.pay({ key, from: addressOf(key) }));
      },
    ],
    'another resource named': [
      'invalid_resource',
      () => header(chain, chain.pay(), { top: { resource: { url: `${PUBLIC_URL}${NODE}?a=1` } } }),
    ],
    'the resource under another host': [
      'invalid_resource',
      () =>
        header(chain, chain.pay(), { top: { resource: { url: `https://evil.example${NODE}` } } }),
    ],
    'version 1': [
      'invalid_x402_version',
      () =>
        base64({
          x402Version: 1,
          scheme: 'exact',
          network: 'base',
          payload: (wire(chain, chain.pay()) as { payload: object }).payload,
        }),
    ],
    'an identifier that is too short': [
      'invalid_payment_identifier',
      () => header(chain, chain.pay(), { identifier: 'short' }),
    ],
    'an identifier that is too long': [
      'invalid_payment_identifier',
      () => header(chain, chain.pay(), { identifier: 'x'.repeat(129) }),
    ],
    'an identifier with other characters': [
      'invalid_payment_identifier',
      () => header(chain, chain.pay(), { identifier: `${'x'.repeat(20)}\u0000` }),
    ],
    'an identifier that is no text': [
      'invalid_payment_identifier',
      () => header(chain, chain.pay(), { identifier: 1234567890123456 }),
    ],
  };
  test.each(Object.entries(cases))('error: %s', async (_name, [code, make]) => {
    await expectRefused({ header: make() }, code);
  });

  test('behavior: a forged claim costs its victim nothing', async () => {
    const limited = await start({ payments: { rateLimit: { perSecond: 0.001, burst: 2 } } });
    const victim = chain.payers[2]!;
    const from = lower(victim.address);
    for (let i = 0; i < 10; i++) {
      const forged = header(chain, chain.pay({ from, key: chain.payers[1]!.privateKey }));
      expectInvoice(await limited.buy(forged), 'invalid_signature');
    }
    const own = () => header(chain, chain.pay({ from, key: victim.privateKey }));
    expect((await limited.buy(own())).status).toBe(200);
    expect((await limited.buy(own())).status).toBe(200);
    const third = await limited.buy(own());
    expect(third.status).toBe(429);
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect(third.headers['payment-required']).toBeUndefined();
    // Another payer is not delayed.
    expect((await limited.buy(header(chain, chain.pay()))).status).toBe(200);
  });

  test('behavior: a blocked payer gets 403 after its signature is verified, and is not charged', async () => {
    const from = lower(chain.payers[1]!.address);
    const strict = await start({ payments: { blocked: [from] } });
    const payment = chain.pay({ from, key: chain.payers[1]!.privateKey });
    const { result, earned: value } = await earned(chain, () => strict.buy(header(chain, payment)));
    expect(result.status).toBe(403);
    expect(value).toBe(0n);
    expect(strict.runs()).toBe(0);
    expect(await strict.row(payment)).toBeUndefined();
    expectInvoice(await strict.buy(header(chain, chain.pay({ from }))), 'invalid_signature');
  });
});
