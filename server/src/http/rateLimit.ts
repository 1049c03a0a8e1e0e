import type { IncomingMessage } from 'node:http';
import type { RateLimitConfig } from '../config/config.ts';
import { clientKey, createClientAddress, isLoopback } from './clientAddress.ts';

export interface RateLimit {
  /** Counts a request; returns the seconds to wait when it is one too many. */
  take(request: IncomingMessage): number | undefined;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was right, in milliseconds. */
  at: number;
}

/** Clients remembered; past it the one seen longest ago starts with a full bucket again. */
const MOST_CLIENTS = 50_000;

/** A token bucket for each client address. `clock` gives milliseconds that never go back. */
export function createRateLimit(
  config: RateLimitConfig,
  clock: () => number = () => performance.now(),
): RateLimit {
  const { perSecond, burst, loopback } = config;
  const addressOf = createClientAddress(config.trustedProxies);
  const buckets = new Map<string, Bucket>();

  function take(request: IncomingMessage): number | undefined {
    if (perSecond === 0) return undefined;
    const address = addressOf(request);
    if (!loopback && isLoopback(address)) return undefined;
    const key = clientKey(address);
    const now = clock();
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / 1000);
    bucket.at = now;
    // Moved to the end: the first is the one seen longest ago.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > MOST_CLIENTS) buckets.delete(buckets.keys().next().value!);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return undefined;
    }
    return Math.ceil((1 - bucket.tokens) / perSecond);
  }

  return { take };
}
