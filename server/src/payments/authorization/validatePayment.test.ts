import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DecodedPayment } from './decode.ts';
import { requirements } from './invoice.ts';
import type { PaymentTerms } from './payment.ts';
import {
  findRecipientError,
  findTermsError,
  findValidityError,
  paysExactly,
} from './validatePayment.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

const NOW = 1_800_000_000;
const terms: PaymentTerms = {
  chainId: 8453,
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  payTo: `0x${'ab'.repeat(20)}`,
  maxTimeoutSeconds: 60,
};
const payment: DecodedPayment = {
  authorization: {
    from: `0x${'11'.repeat(20)}`,
    to: terms.payTo,
    value: 1_000n,
    validAfter: BigInt(NOW - 600),
    validBefore: BigInt(NOW + 60),
    nonce: `0x${'22'.repeat(32)}`,
  },
  signature: '0x00',
  accepted: requirements(terms, 1_000n),
  resourceUrl: null,
  identifier: null,
};
const resourceUrl = 'https://risk.example/a?b=c';

describe('validatePayment', () => {
  test('default: a valid payment', () => {
    expect(findTermsError(payment, { terms, resourceUrl })).toBeUndefined();
    expect(findTermsError({ ...payment, resourceUrl }, { terms, resourceUrl })).toBeUndefined();
    expect(findRecipientError(payment, terms)).toBeUndefined();
    expect(findValidityError(payment.authorization, { terms, now: NOW })).toBeUndefined();
    expect(paysExactly(payment, 1_000n)).toBe(true);
  });

  test('error: other terms than invoiced', () => {
    const names = ['scheme', 'network', 'asset'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.anything(), (name, value) => {
        const accepted = { ...payment.accepted, [name]: value };
        const known = String(value).toLowerCase() === String(payment.accepted[name]).toLowerCase();
        fc.pre(!known);
        expect(findTermsError({ ...payment, accepted }, { terms, resourceUrl })).toBe(
          `invalid_${name}`,
        );
      }),
    );
  });

  test('error: another resource', () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const named = { ...payment, resourceUrl: url };
        expect(findTermsError(named, { terms, resourceUrl })).toBe('invalid_resource');
      }),
    );
  });

  test('behavior: a payment is accepted only within its time, and with time to settle', () => {
    const instant = fc.integer({ min: -1_000, max: 1_000 });
    fc.assert(
      fc.property(instant, instant, (after, before) => {
        const validAfter = BigInt(NOW + after);
        const validBefore = BigInt(NOW + before);
        const fault = findValidityError(
          { ...payment.authorization, validAfter, validBefore },
          { terms, now: NOW },
        );
        const good = after < 0 && before >= 6 && before <= 120;
        expect(fault === undefined).toBe(good);
      }),
    );
  });

  test('behavior: the price must match exactly, in both places', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n), (price) => {
        expect(paysExactly(payment, price)).toBe(price === 1_000n);
      }),
    );
    const accepted = { ...payment.accepted, amount: '01000' };
    expect(paysExactly({ ...payment, accepted }, 1_000n)).toBe(false);
  });
});
