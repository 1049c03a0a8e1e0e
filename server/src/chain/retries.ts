import { pause } from '../runtime/pause.ts';
import type { Pace } from './pace.ts';
import { type RpcError, RpcRateLimited, RpcRefused, RpcUnreachable } from './rpcError.ts';

/** The attempts of one call, until it succeeds or is given up. */
export interface Retries {
  /** Waits and returns true if the call should be sent again; false if its failure is final. */
  shouldRetry(error: RpcError, sentAt: number): Promise<boolean>;
}

export interface RetryOptions {
  readonly pace: Pace;
  /** How long to retry a URL that responds to no call at all. */
  readonly retryMs: number;
  /** The same if the URL requests the wait, as by `Retry-After`. Default: `retryMs`. */
  readonly requestedMs?: number | undefined;
  /** The same for urgent calls. */
  readonly urgentMs?: number;
  /**
   * Whether the call shows the health of the URL. Urgent calls are not repeated for long: another URL may be healthy.
   */
  readonly urgent: boolean;
  /** Whether the call reads a range of logs, which is narrowed after a timeout. */
  readonly isRange: boolean;
  readonly random?: () => number;
}

const URGENT_MS = 3_000;
const FIRST_PAUSE_MS = 100;
/** HTTP statuses of temporary failures. */
const PASSING = new Set([408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 527, 530]);

export function startRetries(options: RetryOptions): Retries {
  const { pace, urgent, random = Math.random } = options;
  const retryMs = urgent ? (options.urgentMs ?? URGENT_MS) : options.retryMs;
  const requestedMs = urgent ? retryMs : (options.requestedMs ?? retryMs);
  const begun = pace.now();
  let failures = 0;

  return {
    async shouldRetry(error, sentAt) {
      if (error instanceof RpcRateLimited) {
        pace.limited(error.retryAfterSeconds, sentAt);
        const waitMs = (error.retryAfterSeconds ?? 0) * 1_000;
        const mostMs = waitMs > 0 ? requestedMs : retryMs;
        const unanswered = Math.min(pace.now() - begun, pace.unansweredMs());
        return !error.quota && waitMs <= mostMs && unanswered <= mostMs;
      }
      failures++;
      if (failures > getMaxRetries(error, options)) return false;
      await pause(FIRST_PAUSE_MS * 2 ** (failures - 1) * (0.5 + random()));
      return true;
    },
  };
}

/** Returns how often a failure is worth another attempt. */
function getMaxRetries(error: RpcError, { urgent, isRange }: RetryOptions): number {
  if (urgent) return 0;
  if (error instanceof RpcUnreachable) {
    if (error.reason === 'aborted' || error.reason === 'oversized') return 0;
    if (error.reason === 'status') return PASSING.has(error.status ?? 0) ? 4 : 0;
    if (error.isTimeout) return isRange ? 0 : 1;
    return 4;
  }
  return error instanceof RpcRefused && error.retry ? 2 : 0;
}
