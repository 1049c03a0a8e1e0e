import { type WatchedPayment, watchedPayments } from '../../store/payments/watchedPayments.ts';
import type { Store } from '../../store/store.ts';
import { nameOf } from '../ledger/paymentName.ts';
import { signedOf } from './reconcile.ts';
import type { Settling } from './settling.ts';

/** Payments that were settled and are not on chain, and can be brought there again: the chain takes each once only. */
export interface Dropped {
  /** Called at every look that does not find it. */
  sendAgain(payment: WatchedPayment): Promise<void>;
  found(payments: readonly WatchedPayment[]): void;
}

/** Longer than a settlement takes. */
const LEASE_SECONDS = 45;

export function createDropped(deps: {
  readonly store: Store;
  readonly owner: string;
  readonly settling: Pick<Settling, 'sendAgain'>;
  /** Unix seconds. */
  readonly now: () => number;
}): Dropped {
  const { store, owner, settling, now } = deps;
  const looks = new Map<string, { count: number; readonly until: number }>();
  return { sendAgain, found };

  async function sendAgain(payment: WatchedPayment): Promise<void> {
    if (!isDue(payment)) return;
    const at = now();
    const by = { owner, leaseUntil: at + LEASE_SECONDS, now: at };
    if (!(await watchedPayments.takeUp(store, payment, by))) return;
    const transaction = await settling.sendAgain(signedOf(payment));
    if (transaction === undefined) return;
    await watchedPayments.place(store, [{ payment, transaction, block: null, finalAt: null }]);
  }

  /**
   * Not at the first look: nodes lag, and our own sender repeats what a reorganisation dropped. Then less and less
   * often: a service that lies does so again.
   */
  function isDue(payment: WatchedPayment): boolean {
    const name = nameOf(payment);
    const known = looks.get(name) ?? { count: 0, until: payment.validBefore };
    known.count++;
    looks.set(name, known);
    return known.count > 1 && Number.isInteger(Math.log2(known.count));
  }

  function found(payments: readonly WatchedPayment[]): void {
    for (const payment of payments) looks.delete(nameOf(payment));
    for (const [name, { until }] of looks) if (until < now()) looks.delete(name);
  }
}
