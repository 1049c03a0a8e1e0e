import type { PaymentKey } from '../../store/payments/paymentKey.ts';

/** A payment's key as one text, for maps. */
export function nameOf({ chainId, asset, payer, nonce }: PaymentKey): string {
  return `${chainId}:${asset}:${payer}:${nonce}`;
}
