/** How many calls to its nodes a chain may take in a day, so that what can wait waits in time. */
export interface CallBudget {
  /** Whether reading the past may go on. Nothing else ever waits for it. */
  hasRoom(): boolean;
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
  if (callsPerDay === undefined) return { hasRoom: () => true };
  const most = callsPerDay * AT_ONCE;
  let left = most;
  let at = clock();
  let counted = total();

  return {
    hasRoom() {
      const now = clock();
      const used = total();
      left = Math.min(most, left + ((now - at) * callsPerDay) / DAY_MS) - (used - counted);
      at = now;
      counted = used;
      // The other half is for what follows the head, which may take more than its share for a while.
      return left >= most / 2;
    },
  };
}
