import type { IncomingMessage } from 'node:http';
import type { RateLimitConfig } from '../config/config.ts';
import { createTokenBuckets } from '../domain/tokenBuckets.ts';
import { clientKey, createClientAddress, isLoopback } from './clientAddress.ts';

export interface RateLimit {
  /** Counts a request; returns the seconds to wait when it is one too many. */
  take(request: IncomingMessage): number | undefined;
  /** The request shall not have counted. */
  giveBack(request: IncomingMessage): void;
}

/** A limit for each client address. `clock` gives milliseconds that never go back. */
export function createRateLimit(
  config: RateLimitConfig,
  clock: () => number = () => performance.now(),
): RateLimit {
  const addressOf = createClientAddress(config.trustedProxies);
  const buckets = createTokenBuckets(config);
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
