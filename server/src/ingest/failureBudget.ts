/** `moving`: blocks changed while they were read, as in a reorg. `failing`: the RPC endpoint failed. */
export type FailureKind = 'moving' | 'failing';

export interface Spent {
  /** Failures of this kind since the last success. */
  readonly tries: number;
  /** Whether the chain counts as unreachable from now on. */
  readonly over: boolean;
}

/** Decides how many failures in a row make a chain unreachable, so that a short outage does not. */
export interface FailureBudget {
  /** Resets the budget after a success. */
  renew(): void;
  /** Records a failure at `now`; no RPC endpoint can be called before `retryAt`. Both in ms of one clock. */
  spend(kind: FailureKind, now: number, retryAt: number): Spent;
}

/** Exceeded by this many failures in a row, with this much time from the first one to the next possible call. */
interface Limit {
  readonly tries: number;
  readonly ms: number;
}

/**
 * A restart of an RPC endpoint takes a few seconds, during which about five calls fail immediately. With timeouts or
 * a long Retry-After, fewer failures take the same time.
 */
const FAILING: readonly Limit[] = [
  { tries: 3, ms: 5_000 },
  { tries: 2, ms: 10_000 },
  { tries: 1, ms: 15_000 },
];
/** Even a deep reorg takes less; after that, the RPC endpoint does not have the blocks that it reports. */
const MOVING: readonly Limit[] = [{ tries: 5, ms: 10_000 }];

export function createFailureBudget(): FailureBudget {
  // Counted separately: a reorg is not a failure of the RPC endpoint.
  const spent = new Map<FailureKind, { since: number; tries: number }>();

  return {
    renew: () => spent.clear(),
    spend(kind, now, retryAt) {
      const { since, tries: before } = spent.get(kind) ?? { since: now, tries: 0 };
      const tries = before + 1;
      spent.set(kind, { since, tries });
      const ms = Math.max(now, retryAt) - since;
      const limits = kind === 'moving' ? MOVING : FAILING;
      return { tries, over: limits.some((limit) => tries >= limit.tries && ms >= limit.ms) };
    },
  };
}
