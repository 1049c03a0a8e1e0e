import type { IncomingMessage } from 'node:http';
import type { RateLimitConfig } from '../config/config.ts';
import { createTokenBuckets, type TokenBuckets } from '../domain/tokenBuckets.ts';
import { clientKey, createClientAddress, isLoopback } from './clientAddress.ts';

export interface RateLimit {
  /** Counts a request; returns the seconds to wait when it is one too many. */
  take(request: IncomingMessage): number | undefined;
  /** The request shall not have counted. */
  giveBack(request: IncomingMessage): void;
}

interface RateLimitParts {
  /** Milliseconds that never go back. */
  readonly clock?: () => number;
  /** Unless told, of this process alone. */
  readonly buckets?: TokenBuckets | undefined;
}

/** A limit for each client address. */
export function createRateLimit(
  config: RateLimitConfig,
  { clock = () => performance.now(), buckets = createTokenBuckets(config) }: RateLimitParts = {},
): RateLimit {
  const addressOf = createClientAddress(config.trustedProxies);
  return { take, giveBack };

  function take(request: IncomingMessage): number | undefined {
    if (config.perSecond === 0) return undefined;
    const address = addressOf(request);
    if (!config.loopback && isLoopback(address)) return undefined;
    return buckets.take(clientKey(address), clock());
  }

  function giveBack(request: IncomingMessage): void {
    buckets.give(clientKey(addressOf(request)));
  }
}
