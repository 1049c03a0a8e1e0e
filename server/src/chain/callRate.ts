import { TELLING_CALLS } from './callShedding.ts';

/**
 * The rate of calls that a URL accepts. Unlimited until a call was rejected; from then on it is cut at each rejection
 * and grows while calls succeed. Times are in ms of one clock.
 */
export interface CallRate {
  /** Calls per second; infinite while unlimited. */
  perSecond(): number;
  /** Calls succeeded. */
  answered(calls: number, now: number): void;
  /** Calls succeed again after rejections. */
  calmed(now: number): void;
  /** A call was rejected. */
  rejected(now: number): void;
  /** Calls were rejected several times in a row, as by plans that punish a rate. Then few calls show it, too. */
  lockedOut(now: number): void;
  /** The rejections did not depend on the rate, so it may grow again. */
  raiseCeiling(): void;
}

export interface CallRateOptions {
  /** Never exceeded. */
  readonly callsPerSecond?: number | undefined;
  /** The rate before a restart. */
  readonly learned?: number | undefined;
  /** Called with each rate that was rejected. */
  readonly onRate?: (callsPerSecond: number) => void;
}

/** A lower rate does not help. */
const MIN_RATE = 4;
/** The share of the last rejected rate up to which the rate grows quickly. */
const NEAR = 0.9;
const FIRST_PROBE_MS = 10_000;
const LONGEST_PROBE_MS = 600_000;
const UNLIMITED = Number.POSITIVE_INFINITY;

export function createCallRate(
  { callsPerSecond: max = UNLIMITED, learned, onRate }: CallRateOptions,
  startedAt: number,
): CallRate {
  /** The rate at which a call was rejected last. */
  let ceiling = Math.min(max, learned ?? UNLIMITED);
  let rate = learned === undefined ? ceiling : Math.min(max, ceiling * NEAR);
  /** Time without a rejection after which a rate above the ceiling is tried; longer after each failure. */
  let probeMs = FIRST_PROBE_MS;
  let calmSince = startedAt;
  let grownAt = startedAt;
  /** The observed rate before the first rejection of an unlimited rate, in calls per second. */
  let suspected: number | null = null;
  let counted = { since: startedAt, calls: 0 };

  return {
    perSecond: () => rate,
    answered,
    calmed(now) {
      calmSince = now;
    },
    rejected,
    lockedOut(now) {
      if (rate === UNLIMITED && suspected !== null) settleBelow(suspected, now);
    },
    raiseCeiling() {
      ceiling = Math.max(ceiling, rate * 2);
    },
  };

  function answered(calls: number, now: number): void {
    if (rate !== UNLIMITED) {
      grow(now);
      return;
    }
    if (now - counted.since > 1_000) counted = { since: now, calls: 0 };
    counted.calls += calls;
  }

  /** Only while the rate is in use: idle time proves nothing. */
  function grow(now: number): void {
    const seconds = Math.min(1, (now - grownAt) / 1_000);
    grownAt = now;
    const known = Math.min(ceiling, max);
    if (known === UNLIMITED) return;
    if (rate < known * NEAR) rate += known * 0.1 * seconds;
    else if (now - calmSince >= probeMs) rate += known * 0.02 * seconds;
    if (rate > known * 1.25) {
      // The plan allows more than before: find the new limit at full speed.
      ceiling = rate * 2;
      probeMs = FIRST_PROBE_MS;
    }
    rate = Math.min(rate, max);
  }

  function rejected(now: number): void {
    if (rate !== UNLIMITED) {
      if (rate >= ceiling * NEAR) probeMs = Math.min(LONGEST_PROBE_MS, probeMs * 2);
      settleBelow(rate, now);
      return;
    }
    if (counted.calls === 0) return;
    // A first rejection after a few calls may have any reason: only a second one counts for the rate.
    if (counted.calls < TELLING_CALLS && suspected === null) suspected = observed(now);
    else settleBelow(observed(now), now);
  }

  function settleBelow(refused: number, now: number): void {
    ceiling = refused;
    rate = Math.min(max, Math.max(MIN_RATE, ceiling * 0.7));
    onRate?.(ceiling);
    grownAt = now;
  }

  /** The rate of responses in the last second or so. */
  function observed(now: number): number {
    const seconds = Math.max(0.25, (now - counted.since) / 1_000);
    return Math.max(MIN_RATE, counted.calls / seconds);
  }
}
