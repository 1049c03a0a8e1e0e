import type { SignerOf } from '../authorization/curveSigner.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import { Crowded, createFairSemaphore } from './fairSemaphore.ts';

/** Proofs by smart wallets that may be asked of the chain at once; the rest wait their turn. */
const MOST_WALLET_CHECKS = 8;
/** Anybody can send what is signed by nobody: past this many, who has most waiting is turned away. */
const MOST_WAITING = 200;

/** Too many signatures wait to be proven by the chain. */
export class WalletChecksBusy extends Error {
  override readonly name = 'WalletChecksBusy';

  constructor() {
    super('too many signatures of smart wallets are being checked; try again soon');
  }
}

/** Proves who signed: a plain key by arithmetic alone, a smart wallet by asking the chain, client by client. */
export function createIsSigned(
  signerOf: SignerOf,
  chain: Pick<PaymentChain, 'isSignedByWallet'>,
): (payment: SignedAuthorization, client: string) => Promise<boolean> {
  const checks = createFairSemaphore({ atOnce: MOST_WALLET_CHECKS, mostWaiting: MOST_WAITING });

  return async (payment, client) => {
    if (signerOf(payment) === payment.authorization.from) return true;
    try {
      return await checks.run(client, () => chain.isSignedByWallet(payment));
    } catch (error) {
      throw error instanceof Crowded ? new WalletChecksBusy() : error;
    }
  };
}
