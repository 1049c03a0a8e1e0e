import { decodeJson } from './base64.ts';
import type { PaymentTerms, Receipt } from './store.ts';

/** Returns the receipt in a PAYMENT-RESPONSE header; null if absent or not for this payment. */
export function readReceipt(
  header: string | null,
  { network, payer }: Pick<PaymentTerms, 'network' | 'payer'>,
): Receipt | null {
  const settlement = header === null ? undefined : decodeJson(header);
  if (settlement?.success !== true || settlement.network !== network) return null;
  const { payer: named, transaction } = settlement;
  if (typeof named !== 'string' || named.toLowerCase() !== payer.toLowerCase()) return null;
  if (typeof transaction !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(transaction)) return null;
  return { transaction, network, payer };
}

/** Returns whether the seller reports success. */
export function claimsSuccess(header: string | null): boolean {
  return header !== null && decodeJson(header)?.success === true;
}
