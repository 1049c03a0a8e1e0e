import { pause } from '../runtime/pause.ts';
import type { Pace } from './pace.ts';
import { type RpcError, RpcRateLimited, RpcRefused, RpcUnreachable } from './rpcError.ts';

/** One call's tries, until it is answered or given up. */
export interface Tries {
  /** Waits and resolves to true where the call is to be sent again; false where its failure is final. */
  again(error: RpcError, sentAt: number): Promise<boolean>;
}

export interface TriesOptions {
  readonly pace: Pace;
  /** How long a URL that answers nothing at all is waited for. */
  readonly patienceMs: number;
  /** The same for urgent calls. */
  readonly urgentMs?: number;
  /** Calls that tell whether the URL is well are not repeated for long: another may be well. */
  readonly urgent: boolean;
  /** Logs of a range: a narrower one is asked for when they do not come in time. */
  readonly isRange: boolean;
  readonly random?: () => number;
}

const URGENT_MS = 3_000;
const FIRST_PAUSE_MS = 100;
/** HTTP statuses of a failure that may pass. */
const PASSING = new Set([408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 527, 530]);

export function startTries(options: TriesOptions): Tries {
  const { pace, urgent, random = Math.random } = options;
  const patienceMs = urgent ? (options.urgentMs ?? URGENT_MS) : options.patienceMs;
  const begun = pace.now();
  let failures = 0;

  return {
    async again(error, sentAt) {
      if (error instanceof RpcRateLimited) {
        pace.limited(error.retryAfterSeconds, sentAt);
        const waitMs = (error.retryAfterSeconds ?? 0) * 1_000;
        const silent = Math.min(pace.now() - begun, pace.silentMs());
        return !error.quota && waitMs <= patienceMs && silent <= patienceMs;
      }
      failures++;
      if (failures > triesOf(error, options)) return false;
      await pause(FIRST_PAUSE_MS * 2 ** (failures - 1) * (0.5 + random()));
      return true;
    },
  };
}

/** How often a failure is worth another try. */
function triesOf(error: RpcError, { urgent, isRange }: TriesOptions): number {
  if (urgent) return 0;
  if (error instanceof RpcUnreachable) {
    if (error.reason === 'aborted' || error.reason === 'oversized') return 0;
    if (error.reason === 'status') return PASSING.has(error.status ?? 0) ? 4 : 0;
    if (error.reason === 'timeout') return isRange ? 0 : 1;
    return 4;
  }
  return error instanceof RpcRefused && error.retry ? 2 : 0;
}
