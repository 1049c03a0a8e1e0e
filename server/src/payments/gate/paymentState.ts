import type { KnownPayment } from '../../store/payments/paymentRow.ts';

/** Whether it is in flight, settled, or released without a confirmation by the chain. */
export function isActive(row: KnownPayment | undefined, now: number): row is KnownPayment {
  if (row === undefined) return false;
  return !isAbandoned(row, now) || (row.sent && row.finalAt === null);
}

/** Whether no process works on it and no response is stored for it. */
export function isAbandoned(row: KnownPayment, now: number): boolean {
  return row.state === 'released' || (row.state === 'claimed' && row.leaseUntil < now);
}
