import { pause } from '../../runtime/pause.ts';
import {
  type Observation,
  type WatchedPayment,
  watchedPayments,
} from '../../store/payments/watchedPayments.ts';
import type { Store } from '../../store/store.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import { createAbsentPayments } from './absentPayments.ts';
import type { Dropped } from './dropped.ts';
import type { FinalityReads, SeenBlock, View } from './finalityReads.ts';
import { PaymentsLost } from './paymentsLost.ts';
import { repeat } from './repeat.ts';

/** Watches settled payments until their block is final. */
export interface Finality {
  /** Checks payments that are new, whose block was removed, or whose block is now final. */
  run(): Promise<Checked>;
  /** Runs at once, and then every few seconds until stopped. */
  start(): void;
  stop(): Promise<void>;
}

export interface Checked {
  /** Seen in a block that is final. */
  readonly confirmed: number;
  /** Permanently lost. */
  readonly lost: number;
  /** Not on chain, and not lost yet. */
  readonly missing: number;
}

const EVERY_MS = 5_000;
const TOGETHER = 100;
/** More than this wait for the next run. */
const MAX_PAGES = 50;
const FORGET_AGAIN_MS = 50;
const FORGET_TRIES = 100;
/** Heads kept to find a fork. */
const MAX_SEEN = 64;

/**
 * Reads each payment's receipt twice, however long finality takes: when it is new, and when its block is final. In
 * between only the newest head seen before is read: as long as it stays, nothing below it was removed.
 */
export function createFinality(deps: {
  readonly store: Store;
  readonly terms: Pick<PaymentTerms, 'chainId' | 'asset'>;
  readonly reads: FinalityReads;
  readonly finalizedHead: (head: number) => Promise<number>;
  readonly chain: Pick<PaymentChain, 'getOnChainStatus'>;
  readonly dropped: Dropped;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): Finality {
  const { store, terms, reads, dropped, now, onError } = deps;
  const absentPayments = createAbsentPayments(deps);
  let seen: SeenBlock[] = [];
  let finalized = -1;
  /** Where the next run continues after one that was too long. */
  let after: WatchedPayment | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let end: (() => Promise<void>) | undefined;

  return { run, start, stop: async () => end?.() };

  function start(): void {
    end = repeat(run, { everyMs: EVERY_MS, onError });
  }

  /** One run at a time. */
  function run(): Promise<Checked> {
    const next = turn.then(check, check);
    turn = next;
    return next;
  }

  async function check(): Promise<Checked> {
    const counts = { confirmed: 0, lost: 0, missing: 0 };
    if (!(await watchedPayments.hasAny(store, terms))) {
      seen = [];
      return counts;
    }
    // Nothing was watched meanwhile.
    if (seen.length === 0) await forget(0);
    for (let page = 0; page < MAX_PAGES; page++) {
      const due = { finalized, after, limit: TOGETHER };
      const payments = await watchedPayments.getDue(store, terms, due);
      const view = await reads.readView(payments, seen);
      if (view.fork !== null) await forgetAbove(view.fork);
      if (page === 0) finalized = await deps.finalizedHead(view.head.number);
      remember(view.head);
      await recordStatuses(payments, view, counts);
      after = payments.length < TOGETHER ? undefined : payments.at(-1);
      if (after === undefined) break;
    }
    if (counts.lost > 0) onError(new PaymentsLost(counts.lost));
    return counts;
  }

  async function forgetAbove(fork: number): Promise<void> {
    await forget(fork);
    seen = seen.filter(({ number }) => number <= fork);
  }

  /** All of them: one that is skipped now would only be checked again when it is final. */
  async function forget(above: number): Promise<void> {
    for (let tries = 0; tries < FORGET_TRIES; tries++) {
      if ((await watchedPayments.forget(store, terms, above)) === 0) return;
      await pause(FORGET_AGAIN_MS);
    }
  }

  function remember(head: SeenBlock): void {
    seen = [...seen.filter(({ number }) => number < head.number), head].slice(-MAX_SEEN);
  }

  async function recordStatuses(
    payments: readonly WatchedPayment[],
    view: View,
    counts: { confirmed: number; lost: number; missing: number },
  ): Promise<void> {
    const found: Observation[] = [];
    const absent: WatchedPayment[] = [];
    for (const [i, payment] of payments.entries()) {
      const block = view.blocks[i]!;
      if (block === null) absent.push(payment);
      else found.push({ payment, transaction: payment.transaction, block, finalAt: endOf(block) });
    }
    counts.confirmed += found.filter(({ finalAt }) => finalAt !== null).length;
    const { elsewhere, gone, unused } = await absentPayments.explain(absent, view.head);
    await write([...found, ...elsewhere]);
    dropped.found([...found, ...elsewhere].map(({ payment }) => payment));
    counts.lost += await writeLost(gone, view);
    counts.missing += unused.length;
    await Promise.all(unused.map((payment) => dropped.resend(payment).catch(onError)));
  }

  async function write(observations: readonly Observation[]): Promise<void> {
    const settled = observations.filter(({ payment }) => payment.state === 'settled');
    const lost = observations.filter(({ payment }) => payment.state === 'lost');
    if (settled.length > 0) await watchedPayments.place(store, settled);
    if (lost.length > 0) await watchedPayments.revive(store, lost);
  }

  /** As of this head; final if it was lost at a block that is now final, and still is lost. */
  async function writeLost(gone: readonly WatchedPayment[], { head }: View): Promise<number> {
    const settled: Observation[] = [];
    const lost: Observation[] = [];
    for (const payment of gone) {
      const observation = { payment, transaction: payment.transaction, block: head, finalAt: null };
      const { blockNumber: number } = payment;
      if (payment.state === 'settled') settled.push(observation);
      else lost.push({ ...observation, finalAt: number === null ? null : endOf({ number }) });
    }
    if (lost.length > 0) await watchedPayments.place(store, lost);
    return settled.length === 0 ? 0 : watchedPayments.lose(store, settled, now());
  }

  function endOf({ number }: { readonly number: number }): number | null {
    return number <= finalized ? now() : null;
  }
}
