import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import { isPaymentIdentifierExtension } from '@x402/extensions/payment-identifier';
import { describe, expect, test } from 'vitest';
import { createQuotes } from '../gate/quotes.ts';
import { invoice } from './invoice.ts';

const TERMS = {
  chainId: 8453,
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  payTo: `0x${'ab'.repeat(20)}`,
  maxTimeoutSeconds: 60,
} as const;
const PRICED = { url: 'https://risk.example/a?b=c', description: 'A query', price: 1_000n };

describe('invoice', () => {
  test("default: returns the protocol's PaymentRequired", () => {
    const asked = invoice(TERMS, PRICED, 'payment_required');
    expect(PaymentRequiredV2Schema.safeParse(asked).success).toBe(true);
    expect(asked.accepts).toEqual([
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: '1000',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payTo: '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB',
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2' },
      },
    ]);
  });

  const BAZAAR = {
    info: { input: { type: 'http', method: 'GET' }, output: { type: 'json' } },
    schema: {
      type: 'object',
      properties: { input: { type: 'object' }, output: { type: 'object' } },
    },
    routeTemplate: '/a/:b',
  };
  const named = (length: number) => `https://risk.example/${'x'.repeat(length)}`;

  test.each([
    ['the request, but not the response', PRICED.url, ['payment-identifier', 'bazaar']],
    ['no metadata for directories', named(1_250), ['payment-identifier']],
  ])('behavior: within its size limit, a header contains %s', (_, url, names) => {
    const { header, body } = createQuotes(TERMS)(
      { ...PRICED, url, bazaar: BAZAAR },
      'payment_required',
    );
    const fitted = decoded(header);
    const whole = JSON.parse(Buffer.from(body).toString());
    expect(PaymentRequiredV2Schema.safeParse(fitted).success).toBe(true);
    expect(Object.keys(fitted.extensions)).toEqual(names);
    expect(fitted.extensions.bazaar?.info ?? {}).not.toHaveProperty('output');
    expect(fitted.extensions.bazaar?.schema.properties ?? {}).not.toHaveProperty('output');
    expect(fitted).toEqual({ ...whole, extensions: fitted.extensions });
    expect(whole.extensions.bazaar).toEqual(BAZAAR);
  });

  test('behavior: a long resource is named in the header and described in the body; identifiers are always accepted', () => {
    const url = named(1_500);
    const { header, body } = createQuotes(TERMS)(
      { ...PRICED, url, bazaar: BAZAAR },
      'payment_required',
    );
    const fitted = decoded(header);
    const whole = JSON.parse(Buffer.from(body).toString());
    expect(PaymentRequiredV2Schema.safeParse(fitted).success).toBe(true);
    expect(fitted).toEqual({
      ...whole,
      resource: { url },
      extensions: { 'payment-identifier': { info: { required: false } } },
    });
    expect(isPaymentIdentifierExtension(fitted.extensions['payment-identifier'])).toBe(true);
    expect(whole.resource.description).toBe(PRICED.description);
  });

  test('behavior: header and body request the same payment, and differ by price, code, and resource', () => {
    const quote = createQuotes(TERMS);
    const first = quote(PRICED, 'payment_required');
    expect(quote(PRICED, 'payment_required')).toBe(first);
    const others = [
      quote({ ...PRICED, price: 5_000n }, 'payment_required'),
      quote(PRICED, 'invalid_amount'),
      quote({ ...PRICED, url: 'https://risk.example/a?b=d' }, 'payment_required'),
    ];
    const texts = [first, ...others].map(({ header, body }) => {
      const text = Buffer.from(header, 'base64').toString();
      expect(JSON.parse(text)).toEqual(JSON.parse(Buffer.from(body).toString()));
      return text;
    });
    expect(new Set(texts).size).toBe(4);
  });
});

function decoded(header: string) {
  return JSON.parse(Buffer.from(header, 'base64').toString());
}
