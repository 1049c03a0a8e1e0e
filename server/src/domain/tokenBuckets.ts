import { BoundedMap } from './boundedMap.ts';
/** A token bucket for each key: a steady rate, and a burst on top. */
export interface TokenBuckets {
  /** Takes one token; returns the seconds to wait when there is none. `now` in milliseconds that never go back. */
  take(key: string, now: number): number | undefined;
  /** The same without taking it. */
  wait(key: string, now: number): number | undefined;
  /** Gives back one that was taken. */
  give(key: string): void;
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
  const buckets = new BoundedMap<string, Bucket>(MOST_KEYS);
  return { take, wait, give };

  function wait(key: string, now: number): number | undefined {
    const bucket = buckets.get(key);
    if (perSecond === 0 || bucket === undefined) return undefined;
    refill(bucket, now);
    return untilOne(bucket);
  }

  function take(key: string, now: number): number | undefined {
    if (perSecond === 0) return undefined;
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    refill(bucket, now);
    buckets.set(key, bucket);
    const seconds = untilOne(bucket);
    if (seconds === undefined) bucket.tokens -= 1;
    return seconds;
  }

  function refill(bucket: Bucket, now: number): void {
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / 1000);
    bucket.at = now;
  }

  function untilOne({ tokens }: Bucket): number | undefined {
    return tokens >= 1 ? undefined : Math.ceil((1 - tokens) / perSecond);
  }

  function give(key: string): void {
    const bucket = buckets.get(key);
    if (bucket !== undefined) bucket.tokens = Math.min(burst, bucket.tokens + 1);
  }
}
