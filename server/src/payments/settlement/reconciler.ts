import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentCounts } from '../ledger/paymentCounts.ts';
import type { Expired } from './expired.ts';
import type { Reconcile } from './reconcile.ts';
import { repeat } from './repeat.ts';

export interface Reconciler {
  /** Checks every payment that no process works on; returns how many were settled, released, or are still open. */
  run(): Promise<Reconciled>;
  /** Runs at once, and then every few seconds until stopped. */
  start(): void;
  stop(): Promise<void>;
}

export interface Reconciled {
  readonly settled: number;
  readonly released: number;
  readonly open: number;
}

const EVERY_MS = 5_000;
const AT_ONCE = 200;
/** How often expired rows are deleted. */
const DROP_EVERY_MS = 600_000;

/** Determines the status of payments that were left unfinished: by a crash, or by a settlement without a response. */
export function createReconciler(deps: {
  readonly ledger: Ledger;
  readonly reconcile: Pick<Reconcile, 'reconcile'>;
  readonly expired: Expired;
  readonly counts: PaymentCounts;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): Reconciler {
  const { ledger, now, onError } = deps;
  let droppedAt = Number.NEGATIVE_INFINITY;
  let end: (() => Promise<void>) | undefined;

  return { run, start, stop: async () => end?.() };

  function start(): void {
    end = repeat(turn, { everyMs: EVERY_MS, onError });
  }

  async function run(): Promise<Reconciled> {
    const counts = { settled: 0, released: 0, open: 0 };
    for (const row of await ledger.getOpen(now(), AT_ONCE)) {
      // Its response was not stored yet, so nothing was broadcast.
      if (row.state === 'claimed') {
        await ledger.releaseStale(row, now());
        counts.released++;
        continue;
      }
      const result = await deps.reconcile.reconcile(row);
      if (result.kind === 'paid') {
        counts.settled++;
        // A request for it may have counted it at the same time.
        if (result.first) deps.counts.settled(row.route, row.value);
      } else if (result.kind === 'unrecorded') counts.settled++;
      else if (result.kind === 'unpaid') counts.released++;
      else counts.open++;
    }
    counts.settled += await deps.expired.run();
    return counts;
  }

  async function turn(): Promise<void> {
    await run();
    if (performance.now() - droppedAt < DROP_EVERY_MS) return;
    await ledger.dropOld(now());
    droppedAt = performance.now();
  }
}
