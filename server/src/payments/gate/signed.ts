import type { SignerOf } from '../authorization/curveSigner.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import type { FairSemaphore } from './fairSemaphore.ts';

/**
 * Verifies who signed: a plain key by computation alone, a smart wallet through the chain. Unsigned payments are free
 * to send, so wallets wait in the queue of keys that never paid. Throws Crowded.
 */
export function createIsSigned(
  signerOf: SignerOf,
  chain: Pick<PaymentChain, 'isSignedByWallet'>,
  newPayers: FairSemaphore,
): (payment: SignedAuthorization, client: string) => Promise<boolean> {
  return async (payment, client) =>
    signerOf(payment) === payment.authorization.from ||
    newPayers.run(client, () => chain.isSignedByWallet(payment));
}
