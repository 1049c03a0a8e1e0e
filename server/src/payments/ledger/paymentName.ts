import type { PaymentKey } from '../../store/payments/paymentKey.ts';

/** Returns a payment's key as one string, for maps. */
export function nameOf({ chainId, asset, payer, nonce }: PaymentKey): string {
  return `${chainId}:${asset}:${payer}:${nonce}`;
}
