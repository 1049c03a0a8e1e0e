import type { Address } from '../../domain/hex.ts';
import { recoverSigner } from './curve.ts';
import { createDigest } from './digest.ts';
import type { PaymentTerms, SignedAuthorization } from './payment.ts';

/** Who signed a payment with a plain key. */
export type SignerOf = (payment: SignedAuthorization) => Address | undefined;

/** Each payment is recovered once, however many ask: it is the dearest arithmetic of a paid request. */
export function createSignerOf(terms: PaymentTerms): SignerOf {
  const digest = createDigest(terms);
  const known = new WeakMap<SignedAuthorization, { readonly signer: Address | undefined }>();
  return (payment) => {
    const found = known.get(payment);
    if (found !== undefined) return found.signer;
    const signer = recoverSigner(digest(payment.authorization), payment.signature);
    known.set(payment, { signer });
    return signer;
  };
}
