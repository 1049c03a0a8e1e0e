/** Limits the calls to a chain's RPC endpoints per day, so that the backfill waits before the quota is used up. */
export interface CallBudget {
  /** Whether the backfill may continue. Nothing else waits for it. */
  hasRoom(): boolean;
  /** Reports the calls taken since the last report, and receives what is left for all processes. */
  exchange(report: (use: CallsTaken) => Promise<number>): Promise<void>;
}

export interface CallsTaken {
  readonly taken: number;
  /** How many may be sent at once. */
  readonly most: number;
  readonly perDay: number;
}

/** The share of a day that may be taken at once, after calmer hours. */
const AT_ONCE = 1 / 24;
const DAY_MS = 86_400_000;

/** Without a limit there is always room. */
export function createCallBudget(options: {
  readonly callsPerDay: number | undefined;
  /** All calls to the chain since the start, for any purpose. */
  readonly total: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
}): CallBudget {
  const { callsPerDay, total, clock } = options;
  if (callsPerDay === undefined) return { hasRoom: () => true, exchange: async () => {} };
  const max = callsPerDay * AT_ONCE;
  let left = max;
  let at = clock();
  let counted = total();
  let unreported = 0;

  return {
    hasRoom() {
      count();
      // The other half is for following the head, which may exceed its share for a while.
      return left >= max / 2;
    },
    async exchange(report) {
      count();
      const taken = unreported;
      unreported = 0;
      try {
        const remaining = await report({ taken, most: max, perDay: callsPerDay });
        count();
        left = remaining - unreported;
      } catch (error) {
        unreported += taken;
        throw error;
      }
    },
  };

  function count(): void {
    const now = clock();
    const used = total() - counted;
    left = Math.min(max, left + ((now - at) * callsPerDay!) / DAY_MS) - used;
    at = now;
    counted += used;
    unreported += used;
  }
}
