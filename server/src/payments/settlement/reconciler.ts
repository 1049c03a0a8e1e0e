import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentCounts } from '../ledger/paymentCounts.ts';
import type { Expired } from './expired.ts';
import type { Reconcile } from './reconcile.ts';
import { repeat } from './repeat.ts';

export interface Reconciler {
  /** One look at every payment that nobody is working on; how many were settled, released, or are still open. */
  run(): Promise<Reconciled>;
  /** At once, and then every few seconds until stopped. */
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
/** What is past its time is dropped this often. */
const DROP_EVERY_MS = 600_000;

/** Finds out what became of payments that were left half way: by a crash, or by a settlement without an answer. */
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
      // Its answer was not kept yet, so nothing was broadcast.
      if (row.state === 'claimed') {
        await ledger.releaseStale(row, now());
        counts.released++;
        continue;
      }
      const ending = await deps.reconcile.reconcile(row);
      if (ending.kind === 'paid') {
        counts.settled++;
        // A request for it may have come at the same time.
        if (ending.first) deps.counts.settled(row.route, row.value);
      } else if (ending.kind === 'unpaid') counts.released++;
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
