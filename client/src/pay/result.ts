import type { Payment } from './payment.ts';

/** A response and its payment. */
export interface PurchaseResult<Data = unknown> {
  readonly data: Data;
  /** @deprecated Use `data`. */
  readonly answer: Data;
  /** Null if the response was free. */
  readonly payment: Payment | null;
}

/** Returns the data under both names while `answer` is deprecated. */
export function resultOf<Data>(data: Data, payment: Payment | null): PurchaseResult<Data> {
  return { data, answer: data, payment };
}
