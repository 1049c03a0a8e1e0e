import type { PaymentRecord } from './store.ts';

/** A payment whose outcome is known, with its receipt. */
export interface Payment extends Omit<PaymentRecord, 'amount' | 'header'> {
  readonly amount: bigint;
}

export function paymentOf({ header: _, ...record }: PaymentRecord): Payment {
  return { ...record, amount: BigInt(record.amount) };
}
