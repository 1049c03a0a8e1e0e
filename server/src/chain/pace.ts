import { createCallQueue } from './callQueue.ts';
import { createCallShedding, TELLING_CALLS } from './callShedding.ts';

/**
 * Limits the rate of calls to one URL. Unlimited until the URL rejects a call for its rate; from then on the rate is
 * cut at each rejection and grows while calls succeed, so that it settles just below what the plan allows.
 */
export interface Pace {
  /**
   * Resolves when `calls` more may be sent; undefined if they may be sent now. Urgent calls go first. With method
   * costs, a call counts as its cost (callCost.ts).
   */
  turn(calls: number, urgent?: boolean): Promise<void> | undefined;
  /** The maximum number of calls in one batch at the present rate. */
  batch(): number;
  answered(calls: number): void;
  /** A call that was sent at `sentAt`, in ms of the clock, was rejected for the rate. */
  limited(retryAfterSeconds: number | null, sentAt: number): void;
  /** How long no call has had a response, in ms. */
  unansweredMs(): number;
  /** Calls per second; null while unlimited. */
  rate(): number | null;
  now(): number;
  /** Ends all waiting: calls are sent at once, even to a closed URL. */
  close(): void;
}

export interface PaceOptions {
  /** Never exceeded. */
  readonly callsPerSecond?: number | undefined;
  /** The rate before a restart. */
  readonly learned?: number | undefined;
  /** Called with each rate that was rejected. */
  readonly onRate?: (callsPerSecond: number) => void;
  readonly clock?: () => number;
  readonly random?: () => number;
  readonly setTimer?: (work: () => void, ms: number) => unknown;
}

/** A lower rate does not help. */
const MIN_RATE = 4;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** Longer waits are cut short by a probe: a provider may ask for hours. */
const LONGEST_REQUESTED_MS = 120_000;
/** Rejections in a row that indicate a lockout, by which some plans punish a rate. */
const LOCKED_OUT = 3;
/** The share of a second's calls that one batch may take. */
const BATCH_SHARE = 0.2;
/** The share of the last rejected rate up to which the rate grows quickly. */
const NEAR = 0.9;
const FIRST_PROBE_MS = 10_000;
const LONGEST_PROBE_MS = 600_000;

export function createPace(options: PaceOptions = {}): Pace {
  const { clock = () => performance.now(), random = Math.random } = options;
  const most = options.callsPerSecond ?? Number.POSITIVE_INFINITY;
  /** The rate at which a call was rejected last. */
  let ceiling = Math.min(most, options.learned ?? Number.POSITIVE_INFINITY);
  let rate = options.learned === undefined ? ceiling : Math.min(most, ceiling * NEAR);
  /** Time without a rejection after which a rate above the ceiling is tried; longer after each failure. */
  let probeMs = FIRST_PROBE_MS;
  let calmSince = clock();
  let grownAt = clock();
  let answeredAt = clock();
  let reactedAt = Number.NEGATIVE_INFINITY;
  /** Rejections since the last response. */
  let rejections = 0;
  /** The observed rate before the first rejection of an unlimited rate, in calls per second. */
  let suspected: number | null = null;
  let counted = { since: clock(), calls: 0 };
  let closed = false;
  const shedding = createCallShedding();
  const queue = createCallQueue({
    clock,
    setTimer: options.setTimer ?? ((work, ms) => setTimeout(work, ms)),
    rate: () => rate,
    isProbing: () => rejections > 0,
  });

  return {
    turn,
    batch,
    answered,
    limited,
    unansweredMs: () => clock() - answeredAt,
    rate: () => (rate === Number.POSITIVE_INFINITY ? null : rate),
    now: clock,
    close() {
      closed = true;
      queue.release();
    },
  };

  function batch(): number {
    if (rejections > 0) return 1;
    return rate === Number.POSITIVE_INFINITY ? rate : Math.max(1, Math.floor(rate * BATCH_SHARE));
  }

  function turn(calls: number, urgent = false): Promise<void> | undefined {
    const isFree = rejections === 0 && queue.isFree();
    if (closed || (rate === Number.POSITIVE_INFINITY && isFree)) return undefined;
    return queue.wait(calls, urgent);
  }

  function answered(calls: number): void {
    const now = clock();
    answeredAt = now;
    shedding.accepted(calls);
    if (rejections > 0) {
      // It accepts calls again: waiting calls do not wait for the next probe.
      rejections = 0;
      calmSince = now;
      queue.resume(now);
    }
    if (rate === Number.POSITIVE_INFINITY) {
      if (now - counted.since > 1_000) counted = { since: now, calls: 0 };
      counted.calls += calls;
      return;
    }
    grow(now);
  }

  /** Only while the rate is in use: idle time proves nothing. */
  function grow(now: number): void {
    const seconds = Math.min(1, (now - grownAt) / 1_000);
    grownAt = now;
    const known = Math.min(ceiling, most);
    if (known === Number.POSITIVE_INFINITY) return;
    if (rate < known * NEAR) rate += known * 0.1 * seconds;
    else if (now - calmSince >= probeMs) rate += known * 0.02 * seconds;
    if (rate > known * 1.25) {
      // The plan allows more than before: find the new limit at full speed.
      ceiling = rate * 2;
      probeMs = FIRST_PROBE_MS;
    }
    rate = Math.min(rate, most);
  }

  function limited(retryAfterSeconds: number | null, sentAt: number): void {
    const now = clock();
    shedding.rejected();
    // Calls that were in flight together are rejected together: that is one rejection.
    if (sentAt <= reactedAt) return;
    reactedAt = now;
    if (shedsCalls()) return;
    // Rejected again without a response in between: a lockout, not caused by the present rate.
    if (rejections === 0) cut(now);
    else if (rejections === LOCKED_OUT && rate === Number.POSITIVE_INFINITY && suspected !== null) {
      settleBelow(suspected, now);
    }
    const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(rejections, 10));
    rejections++;
    const requestedMs = Math.min(LONGEST_REQUESTED_MS, (retryAfterSeconds ?? 0) * 1_000);
    queue.pauseUntil(now + Math.max(requestedMs, growing * (0.5 + random() / 2)));
  }

  function cut(now: number): void {
    if (rate === Number.POSITIVE_INFINITY && counted.calls === 0) return;
    // A first rejection after a few calls may have any reason: only a second one counts for the rate.
    if (rate === Number.POSITIVE_INFINITY && counted.calls < TELLING_CALLS && suspected === null) {
      suspected = observed(now);
      return;
    }
    if (rate >= ceiling * NEAR && rate !== Number.POSITIVE_INFINITY) {
      probeMs = Math.min(LONGEST_PROBE_MS, probeMs * 2);
    }
    settleBelow(rate === Number.POSITIVE_INFINITY ? observed(now) : rate, now);
  }

  function settleBelow(refused: number, now: number): void {
    ceiling = refused;
    rate = Math.min(most, Math.max(MIN_RATE, ceiling * 0.7));
    options.onRate?.(ceiling);
    grownAt = now;
  }

  function shedsCalls(): boolean {
    const { sheds, evaluated } = shedding.evaluate();
    if (sheds && evaluated) ceiling = Math.max(ceiling, rate * 2);
    return sheds;
  }

  /** The rate of responses in the last second or so. */
  function observed(now: number): number {
    const seconds = Math.max(0.25, (now - counted.since) / 1_000);
    return Math.max(MIN_RATE, counted.calls / seconds);
  }
}
