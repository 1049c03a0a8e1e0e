import { lostPayments } from '../../store/payments/lostPayments.ts';
import type { Store } from '../../store/store.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import { repeat } from './repeat.ts';

/** Stops selling while more payments than configured are lost: served, and not paid. */
export interface Selling {
  isStopped(): boolean;
  /** Reads the ledger: at once when a payment was lost, and every few seconds for the changes of other processes. */
  refresh(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface LossLimit {
  /** More lost payments than this, within that many seconds, stop selling. */
  readonly payments: number;
  readonly seconds: number;
}

export interface SellingChange {
  readonly stopped: boolean;
  /** Payments lost in that time. */
  readonly lost: number;
}

const EVERY_MS = 5_000;

export function createSelling(deps: {
  readonly store: Store;
  readonly terms: Pick<PaymentTerms, 'chainId' | 'asset'>;
  readonly limit: LossLimit;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onChange: (change: SellingChange) => void;
  readonly onError: (error: unknown) => void;
}): Selling {
  const { store, terms, limit, now, onError } = deps;
  let stopped = false;
  let end: (() => Promise<void>) | undefined;
  return { isStopped: () => stopped, refresh, start, stop: async () => end?.() };

  async function refresh(): Promise<void> {
    const lost = await lostPayments.countSince(store, terms, now() - limit.seconds);
    const before = stopped;
    stopped = lost > limit.payments;
    if (stopped !== before) deps.onChange({ stopped, lost });
  }

  async function start(): Promise<void> {
    await refresh();
    end = repeat(refresh, { everyMs: EVERY_MS, onError });
  }
}
