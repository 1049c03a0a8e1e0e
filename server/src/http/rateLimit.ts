import type { IncomingMessage } from 'node:http';
import type { RateLimitConfig } from '../config/config.ts';
import { createTokenBuckets, type TokenBuckets } from '../domain/tokenBuckets.ts';
import { clientKey, createClientAddress, createLimitedClientOf } from './clientAddress.ts';

export interface RateLimit {
  /** Counts a request; returns the seconds to wait if it exceeds the limit. */
  take(request: IncomingMessage): number | undefined;
  /** Takes back the count of a request. */
  giveBack(request: IncomingMessage): void;
  /**
   * Returns a function to call with the size of a response that was created: a large one counts as several requests.
   * Call it before the response, because a disconnected client has no address.
   */
  meter(request: IncomingMessage): (bytes: number) => void;
}

/** Bytes of a response that count as one more request. */
export const BYTES_OF_ONE = 16_384;

interface RateLimitParts {
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
  /** Default: counted in this process only. */
  readonly buckets?: TokenBuckets | undefined;
}

/** Creates a limit per client address. */
export function createRateLimit(
  config: RateLimitConfig,
  { clock = () => performance.now(), buckets = createTokenBuckets(config) }: RateLimitParts = {},
): RateLimit {
  const addressOf = createClientAddress(config.trustedProxies);
  const limitedKey = createLimitedClientOf(config);
  return { take, giveBack, meter };

  function take(request: IncomingMessage): number | undefined {
    const key = limitedKey(request);
    return key === undefined ? undefined : buckets.take(key, clock());
  }

  function meter(request: IncomingMessage): (bytes: number) => void {
    const key = limitedKey(request);
    return (bytes) => {
      const more = Math.floor(bytes / BYTES_OF_ONE);
      if (key !== undefined && more > 0) buckets.spend(key, more, clock());
    };
  }

  function giveBack(request: IncomingMessage): void {
    buckets.give(clientKey(addressOf(request)));
  }
}
