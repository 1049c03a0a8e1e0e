import { pause } from '../../runtime/pause.ts';
import type { Authorization, SignedAuthorization } from '../authorization/payment.ts';
import type { Facilitator, Settlement } from './facilitator.ts';
import type { RemoteFacilitator } from './remote.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** Less is not enough for a service to settle in. */
const LEAST_MS = 100;
/** So long a service that failed at several at once is asked for one at a time. */
const IN_TURN_MS = 60_000;

/**
 * Asks a service again within the time that a request has, as long as the chain shows that nothing came of it: the
 * chain takes each authorization once only. Some services settle with one key whose nonces they do not keep apart, and
 * fail at most of what they are asked for at once: from then on each is asked for when the one before is done.
 */
export function createPatient(options: {
  readonly facilitator: RemoteFacilitator;
  readonly isUnused: (authorization: Authorization) => Promise<boolean>;
  /** For all attempts together. */
  readonly patienceMs: number;
}): Facilitator {
  const { facilitator, isUnused, patienceMs } = options;
  let inTurnUntil = Number.NEGATIVE_INFINITY;
  let inFlight = 0;
  let turn: Promise<unknown> = Promise.resolve();

  return { ...facilitator, settle };

  async function settle(payment: SignedAuthorization): Promise<Settlement> {
    const until = performance.now() + patienceMs;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
      const settlement = await whenDue(() => attempt(payment, until));
      if (settlement.outcome !== 'unknown' || settlement.again !== true) return settlement;
      if (performance.now() + ms + LEAST_MS > until) return settlement;
      await pause(ms);
      if (!(await isUnused(payment.authorization).catch(() => false))) return settlement;
    }
  }

  /** At once, or after all others. */
  function whenDue(work: () => Promise<Settlement>): Promise<Settlement> {
    if (performance.now() >= inTurnUntil) return work();
    const next = turn.then(work);
    turn = next;
    return next;
  }

  async function attempt(payment: SignedAuthorization, until: number): Promise<Settlement> {
    const left = until - performance.now();
    if (left < LEAST_MS) return { outcome: 'unknown' };
    inFlight++;
    const others = inFlight > 1;
    const settlement = await facilitator.settle(payment, left);
    const failed = settlement.outcome === 'unknown' && settlement.again === true;
    if (failed && (others || inFlight > 1)) inTurnUntil = performance.now() + IN_TURN_MS;
    inFlight--;
    return settlement;
  }
}
