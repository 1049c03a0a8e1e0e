import { createCallQueue } from './callQueue.ts';
import { type CallRateOptions, createCallRate } from './callRate.ts';
import { createCallShedding } from './callShedding.ts';

/** Limits the rate of calls to one URL, so that it settles just below what the plan allows. */
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

export interface PaceOptions extends CallRateOptions {
  readonly clock?: () => number;
  readonly random?: () => number;
  readonly setTimer?: (work: () => void, ms: number) => unknown;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** Longer waits are cut short by a probe: a provider may ask for hours. */
const LONGEST_REQUESTED_MS = 120_000;
/** Rejections in a row that indicate a lockout, by which some plans punish a rate. */
const LOCKED_OUT = 3;
/** The share of a second's calls that one batch may take. */
const BATCH_SHARE = 0.2;

export function createPace(options: PaceOptions = {}): Pace {
  const { clock = () => performance.now(), random = Math.random } = options;
  const rate = createCallRate(options, clock());
  let answeredAt = clock();
  let reactedAt = Number.NEGATIVE_INFINITY;
  /** Rejections since the last response. */
  let rejections = 0;
  let closed = false;
  const shedding = createCallShedding();
  const queue = createCallQueue({
    clock,
    setTimer: options.setTimer ?? ((work, ms) => setTimeout(work, ms)),
    rate: rate.perSecond,
    isProbing: () => rejections > 0,
  });

  return {
    turn,
    batch,
    answered,
    limited,
    unansweredMs: () => clock() - answeredAt,
    rate: () => (isUnlimited() ? null : rate.perSecond()),
    now: clock,
    close() {
      closed = true;
      queue.release();
    },
  };

  function isUnlimited(): boolean {
    return rate.perSecond() === Number.POSITIVE_INFINITY;
  }

  function batch(): number {
    if (rejections > 0) return 1;
    return isUnlimited()
      ? Number.POSITIVE_INFINITY
      : Math.max(1, Math.floor(rate.perSecond() * BATCH_SHARE));
  }

  function turn(calls: number, urgent = false): Promise<void> | undefined {
    const isFree = rejections === 0 && queue.isFree();
    if (closed || (isFree && isUnlimited())) return undefined;
    return queue.wait(calls, urgent);
  }

  function answered(calls: number): void {
    const now = clock();
    answeredAt = now;
    shedding.accepted(calls);
    if (rejections > 0) {
      // It accepts calls again: waiting calls do not wait for the next probe.
      rejections = 0;
      rate.calmed(now);
      queue.resume(now);
    }
    rate.answered(calls, now);
  }

  function limited(retryAfterSeconds: number | null, sentAt: number): void {
    const now = clock();
    shedding.rejected();
    // Calls that were in flight together are rejected together: that is one rejection.
    if (sentAt <= reactedAt) return;
    reactedAt = now;
    const { sheds, evaluated } = shedding.evaluate();
    if (sheds && evaluated) rate.raiseCeiling();
    if (sheds) return;
    // Rejected again without a response in between: a lockout, not caused by the present rate.
    if (rejections === 0) rate.rejected(now);
    else if (rejections === LOCKED_OUT) rate.lockedOut(now);
    const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(rejections, 10));
    rejections++;
    const requestedMs = Math.min(LONGEST_REQUESTED_MS, (retryAfterSeconds ?? 0) * 1_000);
    queue.pauseUntil(now + Math.max(requestedMs, growing * (0.5 + random() / 2)));
  }
}
