import { BoundedMap } from './boundedMap.ts';

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A token bucket for each key: a steady rate, and a burst on top. */
export interface TokenBuckets {
  /**
   * Takes tokens, one by default; returns the seconds to wait when there are not enough. More than a burst are taken from a full
   * bucket and leave a debt. `now` in milliseconds that never go back.
   */
  take(key: string, now: number, count?: number): number | undefined;
  /** Returns the same without taking them. */
  wait(key: string, now: number, count?: number): number | undefined;
  /** Gives back tokens that were taken. */
  give(key: string, count?: number): void;
  /** So many were taken, here or elsewhere; they may leave a debt, of a burst at most. */
  spend(key: string, count: number, now: number): void;
}

/** Makes the buckets of a limit, which has a name of its own. */
export type CreateBuckets = (limiter: string, rate: Rate) => TokenBuckets;

interface Bucket {
  tokens: number;
  /** When `tokens` was right. */
  at: number;
}

/** Keys remembered; past it the one seen longest ago starts with a full bucket again. */
const MAX_KEYS = 50_000;

/** A rate of 0 is no limit. */
export function createTokenBuckets({ perSecond, burst }: Rate): TokenBuckets {
  const buckets = new BoundedMap<string, Bucket>(MAX_KEYS);
  return { take, wait, give, spend };

  function wait(key: string, now: number, count = 1): number | undefined {
    const bucket = buckets.get(key);
    if (perSecond === 0 || bucket === undefined) return undefined;
    refill(bucket, now);
    return untilEnough(bucket, count);
  }

  function take(key: string, now: number, count = 1): number | undefined {
    if (perSecond === 0) return undefined;
    const bucket = of(key, now);
    const seconds = untilEnough(bucket, count);
    if (seconds === undefined) bucket.tokens -= count;
    return seconds;
  }

  function spend(key: string, count: number, now: number): void {
    const bucket = of(key, now);
    bucket.tokens = Math.max(-burst, bucket.tokens - count);
  }

  function of(key: string, now: number): Bucket {
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    refill(bucket, now);
    buckets.set(key, bucket);
    return bucket;
  }

  function refill(bucket: Bucket, now: number): void {
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / 1000);
    bucket.at = now;
  }

  function untilEnough({ tokens }: Bucket, count: number): number | undefined {
    const needed = Math.max(1, Math.min(count, burst));
    return tokens >= needed ? undefined : Math.ceil((needed - tokens) / perSecond);
  }

  function give(key: string, count = 1): void {
    const bucket = buckets.get(key);
    if (bucket !== undefined) bucket.tokens = Math.min(burst, bucket.tokens + count);
  }
}
