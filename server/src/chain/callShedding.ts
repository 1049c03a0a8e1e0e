/** Detects a URL that rejects the same share of all calls at any rate: a lower rate would only be slower. */
export interface CallShedding {
  accepted(calls: number): void;
  /** Counts a rejected call. */
  rejected(): void;
  /** Whether it rejects calls regardless of the rate; `evaluated` if that was decided by this call. */
  evaluate(): { readonly sheds: boolean; readonly evaluated: boolean };
}

/** How many calls are enough to estimate the share that a URL accepts. */
export const TELLING_CALLS = 20;

export function createCallShedding(): CallShedding {
  /** Outcomes since the last evaluation, and the rejected share before it. */
  let good = 0;
  let bad = 0;
  let lastShare: number | null = null;
  let sheds = false;

  return {
    accepted(calls) {
      good += calls;
    },
    rejected() {
      bad++;
    },
    evaluate() {
      if (good + bad < TELLING_CALLS) return { sheds, evaluated: false };
      const share = bad / (good + bad);
      const isPart = share > 0.1 && share < 0.75;
      sheds = isPart && (sheds || (lastShare !== null && share > lastShare * 0.6));
      lastShare = share;
      good = 0;
      bad = 0;
      return { sheds, evaluated: true };
    },
  };
}
