import type { Address } from '../../domain/hex.ts';
import { recoverSigner } from './curve.ts';
import { createDigest } from './digest.ts';
import type { PaymentTerms, SignedAuthorization } from './payment.ts';

/** Returns the signer of a payment by a plain key. */
export type SignerOf = (payment: SignedAuthorization) => Address | undefined;

/** Recovers the signer of each payment once: recovery is the most expensive computation of a paid request. */
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
