import { pause } from '../../runtime/pause.ts';
import {
  type Sighting,
  type WatchedPayment,
  watchedPayments,
} from '../../store/payments/watchedPayments.ts';
import type { Store } from '../../store/store.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import type { Dropped } from './dropped.ts';
import type { FinalityReads, SeenBlock, View } from './finalityReads.ts';
import { PaymentsLost } from './paymentsLost.ts';
import { DEAD_AFTER_SECONDS, signedOf } from './reconcile.ts';
import { repeat } from './repeat.ts';

/** Watches settled payments until the chain cannot take them back. */
export interface Finality {
  /** One look at those that are new, whose block was taken back, or whose block is final by now. */
  run(): Promise<Checked>;
  /** At once, and then every few seconds until stopped. */
  start(): void;
  stop(): Promise<void>;
}

export interface Checked {
  /** Seen in a block that is final. */
  readonly confirmed: number;
  /** Found to be lost for good. */
  readonly lost: number;
  /** Not on chain, and not lost yet. */
  readonly missing: number;
}

const EVERY_MS = 5_000;
const TOGETHER = 100;
/** More than this wait for the next turn. */
const MOST_PAGES = 50;
const FORGET_AGAIN_MS = 50;
const FORGET_TRIES = 100;
/** Heads to find a fork by. */
const MOST_SEEN = 64;

/**
 * Each payment's receipt is read twice, however long finality takes: when it is new, and when its block is final. In
 * between only the newest head seen before is: as long as that stays, nothing below it was taken back.
 */
export function createFinality(deps: {
  readonly store: Store;
  readonly terms: Pick<PaymentTerms, 'chainId' | 'asset'>;
  readonly reads: FinalityReads;
  readonly finalizedHead: (head: number) => Promise<number>;
  readonly chain: Pick<PaymentChain, 'fateOf'>;
  readonly dropped: Dropped;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): Finality {
  const { store, terms, reads, chain, dropped, now, onError } = deps;
  let seen: SeenBlock[] = [];
  let finalized = -1;
  /** Where a turn that was too long goes on. */
  let after: WatchedPayment | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let end: (() => Promise<void>) | undefined;

  return { run, start, stop: async () => end?.() };

  function start(): void {
    end = repeat(run, { everyMs: EVERY_MS, onError });
  }

  /** One after the other. */
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
    // Nobody watched meanwhile.
    if (seen.length === 0) await forget(0);
    for (let page = 0; page < MOST_PAGES; page++) {
      const due = { finalized, after, limit: TOGETHER };
      const payments = await watchedPayments.getDue(store, terms, due);
      const view = await reads.look(payments, seen);
      if (view.fork !== null) await takeBack(view.fork);
      if (page === 0) finalized = await deps.finalizedHead(view.head.number);
      remember(view.head);
      await judge(payments, view, counts);
      after = payments.length < TOGETHER ? undefined : payments.at(-1);
      if (after === undefined) break;
    }
    if (counts.lost > 0) onError(new PaymentsLost(counts.lost));
    return counts;
  }

  async function takeBack(fork: number): Promise<void> {
    await forget(fork);
    seen = seen.filter(({ number }) => number <= fork);
  }

  /** All of them: what is skipped now would only be looked at again when it is final. */
  async function forget(above: number): Promise<void> {
    for (let tries = 0; tries < FORGET_TRIES; tries++) {
      if ((await watchedPayments.forget(store, terms, above)) === 0) return;
      await pause(FORGET_AGAIN_MS);
    }
  }

  function remember(head: SeenBlock): void {
    seen = [...seen.filter(({ number }) => number < head.number), head].slice(-MOST_SEEN);
  }

  async function judge(
    payments: readonly WatchedPayment[],
    view: View,
    counts: { confirmed: number; lost: number; missing: number },
  ): Promise<void> {
    const found: Sighting[] = [];
    const absent: WatchedPayment[] = [];
    for (const [i, payment] of payments.entries()) {
      const block = view.places[i]!;
      if (block === null) absent.push(payment);
      else found.push({ payment, transaction: payment.transaction, block, finalAt: endOf(block) });
    }
    counts.confirmed += found.filter(({ finalAt }) => finalAt !== null).length;
    const { elsewhere, gone, unused } = await explain(absent, view);
    await write([...found, ...elsewhere]);
    dropped.found([...found, ...elsewhere].map(({ payment }) => payment));
    counts.lost += await writeLost(gone, view);
    counts.missing += unused.length;
    await Promise.all(unused.map((payment) => dropped.sendAgain(payment).catch(onError)));
  }

  /** What became of those that their own transaction does not pay, or not any more. */
  async function explain(absent: readonly WatchedPayment[], { head }: View) {
    const elsewhere: Sighting[] = [];
    const gone: WatchedPayment[] = [];
    const unused: WatchedPayment[] = [];
    const used = absent.length === 0 ? [] : await reads.areUsed(absent, head.number);
    for (const [i, payment] of absent.entries()) {
      const unseen = { payment, transaction: payment.transaction, block: null, finalAt: null };
      const fate = used[i] ? await fateOf(payment) : { fate: 'unused' as const };
      if (fate === undefined) continue;
      // By whoever sent it: the money has moved. Its block is read with the next look.
      if (fate.fate === 'paid') elsewhere.push({ ...unseen, transaction: fate.transaction });
      else if (fate.fate === 'void' || isDead(payment, head)) gone.push(payment);
      // Its cancelling was taken back, and it can be paid again.
      else if (payment.state === 'lost') elsewhere.push(unseen);
      else unused.push(payment);
    }
    return { elsewhere, gone, unused };
  }

  /** Unused in a block after its end: on this branch it stays so. */
  function isDead({ validBefore }: WatchedPayment, head: SeenBlock): boolean {
    const end = validBefore + DEAD_AFTER_SECONDS;
    return now() >= end && head.time >= end;
  }

  async function fateOf(payment: WatchedPayment) {
    try {
      return await chain.fateOf(signedOf(payment).authorization, payment.fromBlock);
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  async function write(sightings: readonly Sighting[]): Promise<void> {
    const settled = sightings.filter(({ payment }) => payment.state === 'settled');
    const lost = sightings.filter(({ payment }) => payment.state === 'lost');
    if (settled.length > 0) await watchedPayments.place(store, settled);
    if (lost.length > 0) await watchedPayments.revive(store, lost);
  }

  /** As of this head; final when it was lost at a block that is final by now, and still is. */
  async function writeLost(gone: readonly WatchedPayment[], { head }: View): Promise<number> {
    const settled: Sighting[] = [];
    const lost: Sighting[] = [];
    for (const payment of gone) {
      const sighting = { payment, transaction: payment.transaction, block: head, finalAt: null };
      const { blockNumber: number } = payment;
      if (payment.state === 'settled') settled.push(sighting);
      else lost.push({ ...sighting, finalAt: number === null ? null : endOf({ number }) });
    }
    if (lost.length > 0) await watchedPayments.place(store, lost);
    return settled.length === 0 ? 0 : watchedPayments.lose(store, settled, now());
  }

  function endOf({ number }: { readonly number: number }): number | null {
    return number <= finalized ? now() : null;
  }
}
