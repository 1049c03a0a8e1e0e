/** How many calls to its nodes a chain may take in a day, so that what can wait waits in time. */
export interface CallBudget {
  /** Whether reading the past may go on. Nothing else ever waits for it. */
  hasRoom(): boolean;
  /** Tells what was taken here since the last time, and learns what is left for all processes together. */
  exchange(tell: (use: CallsTaken) => Promise<number>): Promise<void>;
}

export interface CallsTaken {
  readonly taken: number;
  /** So many may be sent at once. */
  readonly most: number;
  readonly perDay: number;
}

/** So much of a day may be taken at once, after calmer hours. */
const AT_ONCE = 1 / 24;
const DAY_MS = 86_400_000;

/** Without a figure there is always room. */
export function createCallBudget(options: {
  readonly callsPerDay: number | undefined;
  /** All calls to the chain since the start, whatever for. */
  readonly total: () => number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
}): CallBudget {
  const { callsPerDay, total, clock } = options;
  if (callsPerDay === undefined) return { hasRoom: () => true, exchange: async () => {} };
  const most = callsPerDay * AT_ONCE;
  let left = most;
  let at = clock();
  let counted = total();
  let untold = 0;

  return {
    hasRoom() {
      count();
      // The other half is for what follows the head, which may take more than its share for a while.
      return left >= most / 2;
    },
    async exchange(tell) {
      count();
      const taken = untold;
      untold = 0;
      try {
        const remaining = await tell({ taken, most, perDay: callsPerDay });
        count();
        left = remaining - untold;
      } catch (error) {
        untold += taken;
        throw error;
      }
    },
  };

  function count(): void {
    const now = clock();
    const used = total() - counted;
    left = Math.min(most, left + ((now - at) * callsPerDay!) / DAY_MS) - used;
    at = now;
    counted += used;
    untold += used;
  }
}
