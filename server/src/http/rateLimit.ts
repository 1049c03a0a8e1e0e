import type { IncomingMessage } from 'node:http';
import type { RateLimitConfig } from '../config/config.ts';
import { createTokenBuckets, type TokenBuckets } from '../domain/tokenBuckets.ts';
import { clientKey, createClientAddress, isLoopback } from './clientAddress.ts';

export interface RateLimit {
  /** Counts a request; returns the seconds to wait when it is one too many. */
  take(request: IncomingMessage): number | undefined;
  /** The request shall not have counted. */
  giveBack(request: IncomingMessage): void;
  /**
   * To be told of how many bytes the answer is that is made for it: a large one counts as several requests, which its client
   * then lacks. Asked for beforehand, as a client that has gone has no address any more.
   */
  meter(request: IncomingMessage): (bytes: number) => void;
}

/** What an answer may have before it counts as one request more. */
export const BYTES_OF_ONE = 16_384;

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

  /** Undefined: this client is not counted. */
  function limitedKey(request: IncomingMessage): string | undefined {
    if (config.perSecond === 0) return undefined;
    const address = addressOf(request);
    return !config.loopback && isLoopback(address) ? undefined : clientKey(address);
  }

  function giveBack(request: IncomingMessage): void {
    buckets.give(clientKey(addressOf(request)));
  }
}
