import { describe, expect, test } from 'vitest';
import { warningText } from './purchaseBox.tsx';

/** The client's error after the user rejected in the wallet. */
function rejected(payment?: object): Error {
  const error = new Error('no signature', { cause: { code: 4001 } });
  return Object.assign(error, { name: 'AssayError', type: 'signer', payment });
}

describe('warningText', () => {
  test('default: a rejected request was not charged', () => {
    expect(warningText(rejected(), undefined, undefined)).toBe(
      'You rejected the request in your wallet. Nothing was signed or charged.',
    );
  });

  test('behavior: an earlier signature of the same payment may have been charged', () => {
    const payment = { id: 'a', amount: 50_000n, chargeableUntil: 0 };
    expect(warningText(rejected(payment), undefined, undefined)).toBe(
      "You rejected the request in your wallet. The charge is not confirmed yet. Try again; you won't pay twice.",
    );
  });
});
