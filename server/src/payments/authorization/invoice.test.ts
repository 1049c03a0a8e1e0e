import { PaymentRequiredV2Schema } from '@x402/core/schemas';
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
  test('default: what the protocol asks for', () => {
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

  test('behavior: header and body say the same, and differ by price, code and resource', () => {
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
