/** Calls that wait for their turn at one URL: sent one after the other at a rate, or one at a time as a probe. */
export interface CallQueue {
  /** Whether nothing waits, and no pause was set since the last call. */
  isFree(): boolean;
  /** Resolves at the turn of these calls. Urgent calls go first. */
  wait(calls: number, urgent: boolean): Promise<void>;
  /** Sends nothing before `at`, in ms of the clock. */
  pauseUntil(at: number): void;
  /** Sends the next call without waiting for the rate. */
  resume(now: number): void;
  /** Sends everything that waits. */
  release(): void;
}

export interface CallQueueOptions {
  readonly clock: () => number;
  readonly setTimer: (work: () => void, ms: number) => unknown;
  /** Calls per second. */
  readonly rate: () => number;
  /** Whether calls are only sent as probes. */
  readonly isProbing: () => boolean;
}

/** While it responds to nothing, one call is sent as a probe, and the next only after this time. */
const PROBE_PAUSE_MS = 1_000;
/** Calls that may be sent together beyond an even spread, in ms of the rate. */
const SLACK_MS = 50;

export function createCallQueue({ clock, setTimer, rate, isProbing }: CallQueueOptions): CallQueue {
  const waiting: { calls: number; go: () => void }[] = [];
  let pausedUntil = 0;
  let nextAt = 0;
  /** When the next check of the queue is due; null if none is. */
  let checkAt: number | null = null;

  return {
    isFree: () => pausedUntil === 0 && waiting.length === 0,
    wait(calls, urgent) {
      return new Promise((resolve) => {
        const one = { calls, go: resolve };
        if (urgent) waiting.unshift(one);
        else waiting.push(one);
        pump();
      });
    },
    pauseUntil(at) {
      pausedUntil = Math.max(pausedUntil, at);
    },
    resume(now) {
      nextAt = Math.min(nextAt, now);
      pump();
    },
    release() {
      for (const { go } of waiting.splice(0)) go();
    },
  };

  function pump(): void {
    while (waiting.length > 0) {
      const now = clock();
      const at = Math.max(pausedUntil, nextAt);
      if (at > now) {
        checkLater(at, now);
        return;
      }
      pausedUntil = 0;
      const { calls, go } = waiting.shift()!;
      nextAt = isProbing()
        ? now + PROBE_PAUSE_MS
        : Math.max(now - SLACK_MS, nextAt) + (calls * 1_000) / rate();
      go();
    }
  }

  function checkLater(at: number, now: number): void {
    if (checkAt !== null && checkAt <= at) return;
    checkAt = at;
    setTimer(() => {
      if (checkAt !== at) return;
      checkAt = null;
      pump();
    }, at - now);
  }
}
