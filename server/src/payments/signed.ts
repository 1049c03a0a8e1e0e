import type { SignerOf } from './curveSigner.ts';
import type { SignedAuthorization } from './payment.ts';
import type { PaymentChain } from './paymentChain.ts';

/** Proofs by smart wallets that may be asked of the chain at once; the rest wait their turn. */
const MOST_WALLET_CHECKS = 8;
/** Anybody can send what is signed by nobody: past this many such requests, more are turned away. */
const MOST_WAITING = 200;

/** Too many signatures wait to be proven by the chain. */
export class WalletChecksBusy extends Error {
  override readonly name = 'WalletChecksBusy';

  constructor() {
    super('too many signatures of smart wallets are being checked; try again soon');
  }
}

/** Proves who signed: a plain key by arithmetic alone, a smart wallet by asking the chain. */
export function createIsSigned(
  signerOf: SignerOf,
  chain: Pick<PaymentChain, 'isSignedByWallet'>,
): (payment: SignedAuthorization) => Promise<boolean> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (payment) => {
    if (signerOf(payment) === payment.authorization.from) return true;
    if (waiting.length >= MOST_WAITING) throw new WalletChecksBusy();
    if (running >= MOST_WALLET_CHECKS) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await chain.isSignedByWallet(payment);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
