import { type WatchedPayment, watchedPayments } from '../../store/payments/watchedPayments.ts';
import type { Store } from '../../store/store.ts';
import { nameOf } from '../ledger/paymentName.ts';
import { signedOf } from './reconcile.ts';
import type { Settling } from './settling.ts';

/** Settled payments that are missing on chain and can be sent again, since the chain accepts each only once. */
export interface Dropped {
  /** Called at every check that does not find it. */
  resend(payment: WatchedPayment): Promise<void>;
  found(payments: readonly WatchedPayment[]): void;
}

/** Longer than a settlement takes. */
const LEASE_SECONDS = 45;

export function createDropped(deps: {
  readonly store: Store;
  readonly owner: string;
  readonly settling: Pick<Settling, 'resend'>;
  /** Unix seconds. */
  readonly now: () => number;
}): Dropped {
  const { store, owner, settling, now } = deps;
  const checks = new Map<string, { count: number; readonly until: number }>();
  return { resend, found };

  async function resend(payment: WatchedPayment): Promise<void> {
    if (!isDue(payment)) return;
    const at = now();
    const by = { owner, leaseUntil: at + LEASE_SECONDS, now: at };
    if (!(await watchedPayments.takeUp(store, payment, by))) return;
    const transaction = await settling.resend(signedOf(payment));
    if (transaction === undefined) return;
    await watchedPayments.place(store, [{ payment, transaction, block: null, finalAt: null }]);
  }

  /**
   * Not at the first check: RPC endpoints lag, and the sender resends what a reorg removed. Then less and less often: a
   * service that reports false settlements does so again.
   */
  function isDue(payment: WatchedPayment): boolean {
    const name = nameOf(payment);
    const known = checks.get(name) ?? { count: 0, until: payment.validBefore };
    known.count++;
    checks.set(name, known);
    return known.count > 1 && Number.isInteger(Math.log2(known.count));
  }

  function found(payments: readonly WatchedPayment[]): void {
    for (const payment of payments) checks.delete(nameOf(payment));
    for (const [name, { until }] of checks) if (until < now()) checks.delete(name);
  }
}
