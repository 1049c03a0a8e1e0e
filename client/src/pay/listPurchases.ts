import { readBook } from './book.ts';
import type { OpenPayment, PaymentRecord, PaymentTerms, Receipt, SpendStore } from './store.ts';

/** A payment in a spend store, open or closed. */
export interface Purchase extends Omit<PaymentTerms, 'amount' | 'header'> {
  /** Maximum amount that can be charged. */
  readonly amount: bigint;
  /** `reserved`, `signed` and `doubtful` are open; the others are outcomes. */
  readonly state: OpenPayment['state'] | PaymentRecord['outcome'];
  /** Whether the next call for the same request sends this payment again. */
  readonly unanswered: boolean;
  /** Unix seconds: when it was reserved, or when its outcome became known. */
  readonly at: number;
  /** Unix seconds after which it can no longer be charged; null once its outcome is known. */
  readonly chargeableUntil: number | null;
  readonly receipt: Receipt | null;
}

/**
 * Returns all payments of a spend store, oldest first. Needs no payer and no key.
 *
 * @example
 * const purchases = await listPurchases(createFileStore('.assay/spend'));
 * console.log(purchases.map(({ state, amount, url }) => [state, amount, url]));
 */
export async function listPurchases(store: SpendStore): Promise<readonly Purchase[]> {
  // Read the state first: a payment that is closed in between is then in both, not in neither.
  const { open, unanswered = [] } = await store.transact((book) => ({ result: readBook(book) }));
  const records = await store.getRecords();
  const waiting = new Set(unanswered.map(({ id }) => id));
  const known = new Set(records.map(({ id }) => id));
  return [
    ...records.map(({ header: _, outcome, ...record }) => ({
      ...record,
      amount: BigInt(record.amount),
      state: outcome,
      unanswered: waiting.has(record.id),
      chargeableUntil: null,
    })),
    ...open
      .filter(({ id }) => !known.has(id))
      .map(({ header: _, reservedAt, validBefore, signatures: __, replaced, ...payment }) => ({
        ...payment,
        amount: BigInt(payment.amount),
        unanswered: !replaced,
        at: reservedAt,
        chargeableUntil: validBefore,
        receipt: null,
      })),
  ].sort((a, b) => a.at - b.at);
}
