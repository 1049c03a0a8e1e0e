import { pause } from '../../runtime/pause.ts';
import type { Authorization, SignedAuthorization } from '../authorization/payment.ts';
import type { Facilitator, Settlement } from './facilitator.ts';
import type { RemoteFacilitator } from './remote.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** Less time than this is not enough for a service to settle. */
const MIN_MS = 100;
/** How long a service that failed on concurrent requests gets one request at a time. */
const IN_TURN_MS = 60_000;

/**
 * Retries a service within the time of a request, while the chain shows the authorization as unused; the chain accepts
 * each authorization once. Some services settle with one key, confuse its nonces, and fail most concurrent requests:
 * after such a failure, requests are sent one at a time.
 */
export function createRetryingFacilitator(options: {
  readonly facilitator: RemoteFacilitator;
  readonly isUnused: (authorization: Authorization) => Promise<boolean>;
  /** For all attempts together. */
  readonly timeoutMs: number;
}): Facilitator {
  const { facilitator, isUnused, timeoutMs } = options;
  let inTurnUntil = Number.NEGATIVE_INFINITY;
  let inFlight = 0;
  let turn: Promise<unknown> = Promise.resolve();

  return { ...facilitator, settle };

  async function settle(payment: SignedAuthorization): Promise<Settlement> {
    const until = performance.now() + timeoutMs;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
      const settlement = await whenDue(() => attempt(payment, until));
      if (settlement.outcome !== 'unknown' || settlement.retryable !== true) return settlement;
      if (performance.now() + ms + MIN_MS > until) return settlement;
      await pause(ms);
      if (!(await isUnused(payment.authorization).catch(() => false))) return settlement;
    }
  }

  /** Runs at once, or after all earlier ones. */
  function whenDue(work: () => Promise<Settlement>): Promise<Settlement> {
    if (performance.now() >= inTurnUntil) return work();
    const next = turn.then(work);
    turn = next;
    return next;
  }

  async function attempt(payment: SignedAuthorization, until: number): Promise<Settlement> {
    const left = until - performance.now();
    if (left < MIN_MS) return { outcome: 'unknown' };
    inFlight++;
    const others = inFlight > 1;
    const settlement = await facilitator.settle(payment, left);
    const failed = settlement.outcome === 'unknown' && settlement.retryable === true;
    if (failed && (others || inFlight > 1)) inTurnUntil = performance.now() + IN_TURN_MS;
    inFlight--;
    return settlement;
  }
}
