/**
 * What a failure says: `moving` that blocks changed while they were read, as when a chain is being reorganised;
 * `failing` that the node did not do its work.
 */
export type FailureKind = 'moving' | 'failing';

export interface Spent {
  /** Failures of this kind since the last success. */
  readonly tries: number;
  /** Whether nobody should wait for the chain any longer. */
  readonly over: boolean;
}

/** Tells a chain that cannot be read from one that was only asked at a bad moment. */
export interface FailureBudget {
  /** A piece of work was done: what failed before is forgiven. */
  renew(): void;
  /** A piece of work failed at `now`; nobody can be asked before `retryAt`. Both in ms of one clock. */
  spend(kind: FailureKind, now: number, retryAt: number): Spent;
}

/** So many failures in a row, with so much time from the first until somebody can be asked again, are too much. */
interface Limit {
  readonly tries: number;
  readonly ms: number;
}

/**
 * A busy machine or a restart takes a few seconds, and a node that fails at once is asked some five times in them.
 * One that is slow to fail, or wants to be left alone, has used up the time with fewer.
 */
const FAILING: readonly Limit[] = [
  { tries: 3, ms: 5_000 },
  { tries: 2, ms: 10_000 },
  { tries: 1, ms: 15_000 },
];
/** A deep reorganisation is over in less; a node that goes on so does not have the blocks it reports. */
const MOVING: readonly Limit[] = [{ tries: 5, ms: 10_000 }];

export function createFailureBudget(): FailureBudget {
  // Each kind by itself: a chain that moves while it is read says nothing of its node.
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
