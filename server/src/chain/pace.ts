/**
 * How fast one URL is asked. Unlimited until the URL refuses a call for its rate; from then on the rate is cut at each
 * refusal and grows again while calls are answered, so that it settles just below what the plan allows.
 */
export interface Pace {
  /** Resolves when `calls` more may be sent; undefined when they may be sent now. Urgent calls go first. */
  turn(calls: number, urgent?: boolean): Promise<void> | undefined;
  /** How many calls one batch may have at the present rate. */
  batch(): number;
  answered(calls: number): void;
  /** A call that was sent at `sentAt`, in ms of the clock, was refused for the rate. */
  limited(retryAfterSeconds: number | null, sentAt: number): void;
  /** For how long no call was answered, in ms. */
  silentMs(): number;
  /** Calls a second; null while unlimited. */
  rate(): number | null;
  now(): number;
  /** Ends all waiting: calls go out at once, to a URL that is closed too. */
  close(): void;
}

export interface PaceOptions {
  /** Never to be exceeded. */
  readonly callsPerSecond?: number | undefined;
  /** Where it settled before a restart. */
  readonly learned?: number | undefined;
  /** Told of each rate that was refused. */
  readonly onRate?: (callsPerSecond: number) => void;
  readonly clock?: () => number;
  readonly random?: () => number;
  readonly setTimer?: (work: () => void, ms: number) => unknown;
}

/** Below this a lower rate helps nobody. */
const LEAST = 4;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** Calls that may be sent together beyond an even spread, in ms of the rate. */
const SLACK_MS = 50;
/** The share of a second's calls that one batch may take. */
const BATCH_SHARE = 0.2;
/** The share of the rate that was refused last up to which it grows quickly. */
const NEAR = 0.9;
const FIRST_PROBE_MS = 10_000;
const LONGEST_PROBE_MS = 600_000;
/** So many calls tell how many of them a URL answers. */
const TELLING_CALLS = 20;

export function createPace(options: PaceOptions = {}): Pace {
  const { clock = () => performance.now(), random = Math.random } = options;
  const setTimer = options.setTimer ?? ((work, ms) => setTimeout(work, ms));
  const most = options.callsPerSecond ?? Number.POSITIVE_INFINITY;
  /** The rate at which it was refused last. */
  let ceiling = Math.min(most, options.learned ?? Number.POSITIVE_INFINITY);
  let rate = options.learned === undefined ? ceiling : Math.min(most, ceiling * NEAR);
  /** Without a refusal for so long, a rate above the ceiling is tried; longer after each failure. */
  let probeMs = FIRST_PROBE_MS;
  let calmSince = clock();
  let grownAt = clock();
  let answeredAt = clock();
  let pausedUntil = 0;
  let nextAt = 0;
  let reactedAt = Number.NEGATIVE_INFINITY;
  /** Refusals since the last answer. */
  let struck = 0;
  let warned = false;
  /** Outcomes since the last look at them, and the refused share of those before. */
  let good = 0;
  let bad = 0;
  let lastShare: number | null = null;
  /** Whether it refuses calls whatever the rate. */
  let sheds = false;
  let counted = { since: clock(), calls: 0 };
  const waiting: { calls: number; go: () => void }[] = [];
  let timer = false;
  let closed = false;

  return {
    turn,
    batch: () =>
      rate === Number.POSITIVE_INFINITY ? rate : Math.max(1, Math.floor(rate * BATCH_SHARE)),
    answered,
    limited,
    silentMs: () => clock() - answeredAt,
    rate: () => (rate === Number.POSITIVE_INFINITY ? null : rate),
    now: clock,
    close() {
      closed = true;
      for (const { go } of waiting.splice(0)) go();
    },
  };

  function turn(calls: number, urgent = false): Promise<void> | undefined {
    if (closed || (rate === Number.POSITIVE_INFINITY && pausedUntil === 0)) return undefined;
    return new Promise((resolve) => {
      const one = { calls, go: resolve };
      if (urgent) waiting.unshift(one);
      else waiting.push(one);
      pump();
    });
  }

  function pump(): void {
    if (timer) return;
    while (waiting.length > 0) {
      const now = clock();
      const wait = Math.max(pausedUntil, nextAt) - now;
      if (wait > 0) {
        timer = true;
        setTimer(() => {
          timer = false;
          pump();
        }, wait);
        return;
      }
      pausedUntil = 0;
      const { calls, go } = waiting.shift()!;
      nextAt = Math.max(now - SLACK_MS, nextAt) + (calls * 1_000) / rate;
      go();
    }
  }

  function answered(calls: number): void {
    const now = clock();
    answeredAt = now;
    good += calls;
    if (rate === Number.POSITIVE_INFINITY) {
      struck = 0;
      if (now - counted.since > 1_000) counted = { since: now, calls: 0 };
      counted.calls += calls;
      return;
    }
    if (struck > 0) calmSince = now;
    struck = 0;
    grow(now);
  }

  /** While the rate is in use: idle time proves nothing. */
  function grow(now: number): void {
    const seconds = Math.min(1, (now - grownAt) / 1_000);
    grownAt = now;
    const known = Math.min(ceiling, most);
    if (known === Number.POSITIVE_INFINITY) return;
    if (rate < known * NEAR) rate += known * 0.1 * seconds;
    else if (now - calmSince >= probeMs) rate += known * 0.02 * seconds;
    if (rate > known * 1.25) {
      // The plan allows more than it did: look for the new limit at full speed.
      ceiling = rate * 2;
      probeMs = FIRST_PROBE_MS;
    }
    rate = Math.min(rate, most);
  }

  function limited(retryAfterSeconds: number | null, sentAt: number): void {
    const now = clock();
    bad++;
    // Calls that were under way together are refused together: that is one refusal.
    if (sentAt <= reactedAt) return;
    reactedAt = now;
    if (shedsCalls()) return;
    // Refused again with nothing answered in between: it locks us out, and the rate is not why.
    if (struck === 0) cut(now);
    const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(struck, 10));
    struck++;
    const told = (retryAfterSeconds ?? 0) * 1_000;
    pausedUntil = Math.max(pausedUntil, now + Math.max(told, growing * (0.5 + random() / 2)));
  }

  function cut(now: number): void {
    if (rate === Number.POSITIVE_INFINITY && counted.calls === 0) return;
    // A first refusal after a few calls may have any reason: only a second one is taken for the rate.
    if (rate === Number.POSITIVE_INFINITY && counted.calls < TELLING_CALLS && !warned) {
      warned = true;
      return;
    }
    if (rate >= ceiling * NEAR && rate !== Number.POSITIVE_INFINITY) {
      probeMs = Math.min(LONGEST_PROBE_MS, probeMs * 2);
    }
    ceiling = rate === Number.POSITIVE_INFINITY ? observed(now) : rate;
    rate = Math.min(most, Math.max(LEAST, ceiling * 0.7));
    options.onRate?.(ceiling);
    grownAt = now;
  }

  /** Some URLs refuse the same part of all calls however slow we are: slower would only be slower. */
  function shedsCalls(): boolean {
    if (good + bad < TELLING_CALLS) return sheds;
    const share = bad / (good + bad);
    const isPart = share > 0.1 && share < 0.75;
    sheds = isPart && (sheds || (lastShare !== null && share > lastShare * 0.6));
    if (sheds) ceiling = Math.max(ceiling, rate * 2);
    lastShare = share;
    good = 0;
    bad = 0;
    return sheds;
  }

  /** What was answered in the last second or so. */
  function observed(now: number): number {
    const seconds = Math.max(0.25, (now - counted.since) / 1_000);
    return Math.max(LEAST, counted.calls / seconds);
  }
}
