import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePayment } from './decode.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

const AUTHORIZATION = {
  from: `0x${'Ab'.repeat(20)}`,
  to: `0x${'cD'.repeat(20)}`,
  value: '50000',
  validAfter: '0',
  validBefore: '1800000000',
  nonce: `0x${'eF'.repeat(32)}`,
};
const PAYMENT = {
  x402Version: 2,
  accepted: { scheme: 'exact' },
  payload: { signature: `0x${'Aa'.repeat(65)}`, authorization: AUTHORIZATION },
};

function decode(value: unknown) {
  return decodePayment(Buffer.from(JSON.stringify(value)).toString('base64'));
}

function withAuthorization(changes: object) {
  const authorization = { ...AUTHORIZATION, ...changes };
  return decode({ ...PAYMENT, payload: { ...PAYMENT.payload, authorization } });
}

describe('decodePayment', () => {
  test('default: returns the canonical form', () => {
    expect(decode(PAYMENT)).toEqual({
      kind: 'payment',
      payment: {
        authorization: {
          from: `0x${'ab'.repeat(20)}`,
          to: `0x${'cd'.repeat(20)}`,
          value: 50_000n,
          validAfter: 0n,
          validBefore: 1_800_000_000n,
          nonce: `0x${'ef'.repeat(32)}`,
        },
        signature: `0x${'aa'.repeat(65)}`,
        accepted: { scheme: 'exact' },
        resourceUrl: null,
        identifier: null,
      },
    });
  });

  test('behavior: every encoding of a number has the same value', () => {
    const spelled = fc.tuple(fc.bigInt(0n, 2n ** 256n - 1n), fc.constantFrom(10, 16, 17));
    fc.assert(
      fc.property(spelled, ([value, base]) => {
        const hex = value.toString(16);
        const text = base === 10 ? `${value}` : `0x${base === 16 ? hex : hex.toUpperCase()}`;
        expect(withAuthorization({ value: text })).toMatchObject({
          payment: { authorization: { value } },
        });
      }),
    );
  });

  test('behavior: any text is a payment, an error code, or undecodable, and never throws', () => {
    const code = /^[a-z0-9_]+$/;
    const texts = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((json) => Buffer.from(json).toString('base64')),
      fc
        .anything()
        .map((value) =>
          Buffer.from(JSON.stringify({ ...PAYMENT, payload: value }) ?? '').toString('base64'),
        ),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const decoded = decodePayment(text);
        if (decoded.kind === 'invalid') expect(decoded.code).toMatch(code);
        else expect(decoded.kind).toBe('undecodable');
      }),
    );
  });

  test('behavior: any field of any kind is rejected or read, and never throws', () => {
    const field = fc.constantFrom(...Object.keys(AUTHORIZATION));
    fc.assert(
      fc.property(field, fc.jsonValue(), (name, value) => {
        const decoded = withAuthorization({ [name]: value });
        if (decoded.kind === 'invalid') expect(decoded.code).toBe('invalid_authorization');
        else expect(decoded.kind).toBe('payment');
      }),
    );
  });

  test('behavior: a returned declaration without an identifier counts as none', () => {
    const info = { required: false };
    const extensions = { 'payment-identifier': { info, schema: {} } };
    expect(decode({ ...PAYMENT, extensions })).toMatchObject({ payment: { identifier: null } });
  });

  test('error: an identifier out of bounds', () => {
    const named = (id: unknown) =>
      decode({ ...PAYMENT, extensions: { 'payment-identifier': { info: { id } } } });
    for (const id of ['x'.repeat(15), 'x'.repeat(129), `${'x'.repeat(16)}\n`, null, 5, {}, '']) {
      expect(named(id)).toEqual({ kind: 'invalid', code: 'invalid_payment_identifier' });
    }
    for (const id of ['x'.repeat(16), 'x'.repeat(128), 'Az09_-Az09_-Az09_-']) {
      expect(named(id)).toMatchObject({ payment: { identifier: id } });
    }
  });
});
