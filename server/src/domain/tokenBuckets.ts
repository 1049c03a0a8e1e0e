/** A token bucket for each key: a steady rate, and a burst on top. */
export interface TokenBuckets {
  /** Takes one token; returns the seconds to wait when there is none. `now` in milliseconds that never go back. */
  take(key: string, now: number): number | undefined;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was right. */
  at: number;
}

/** Keys remembered; past it the one seen longest ago starts with a full bucket again. */
const MOST_KEYS = 50_000;

/** A rate of 0 is no limit. */
export function createTokenBuckets(options: {
  readonly perSecond: number;
  readonly burst: number;
}): TokenBuckets {
  const { perSecond, burst } = options;
  const buckets = new Map<string, Bucket>();
  return { take };

  function take(key: string, now: number): number | undefined {
    if (perSecond === 0) return undefined;
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / 1000);
    bucket.at = now;
    // Moved to the end: the first is the one seen longest ago.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > MOST_KEYS) buckets.delete(buckets.keys().next().value!);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return undefined;
    }
    return Math.ceil((1 - bucket.tokens) / perSecond);
  }
}
