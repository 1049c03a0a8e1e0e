import type { Address } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import {
  atOnce,
  type Facilitator,
  FacilitatorUnavailable,
  type Turn,
  type Verification,
} from './facilitator.ts';
import { getFacilitatorErrorCode } from './facilitatorErrors.ts';
import type { GasGuard } from './gasGuard.ts';
import type { InFlight, Position } from './inFlight.ts';
import { CROWDED, type Plan, type Planner } from './settlementPlan.ts';

/** Payments that would settle now, with what is reserved for them until they are settled or forgotten. */
export interface VerifiedPayments
  extends Required<Pick<Facilitator, 'verify' | 'getThrottle' | 'forget'>> {
  /** Plans its settlement, regardless of the throttle of its payer. */
  check(payment: SignedAuthorization, turn: Turn): Promise<Verification>;
  has(payment: SignedAuthorization): boolean;
  /** Removes a payment for its settlement, which releases what is reserved. */
  take(payment: SignedAuthorization): Planned | undefined;
}

export interface Planned extends Plan {
  /** Null: not verified before. */
  readonly position: Position | null;
}

export function createVerifiedPayments(deps: {
  readonly planner: Pick<Planner, 'plan'>;
  readonly inFlight: InFlight;
  readonly guard: Pick<GasGuard, 'needsHistory' | 'recall'>;
  /** Whether a payer ever settled a payment, according to the ledger. Absent: none has. */
  readonly hasSettled: ((payer: Address) => Promise<boolean>) | undefined;
  /** Unix seconds. */
  readonly now: () => number;
}): VerifiedPayments {
  const { planner, inFlight, guard, hasSettled, now } = deps;
  const planned = new WeakMap<SignedAuthorization, Planned>();
  return { verify, getThrottle, check, has: (payment) => planned.has(payment), take, forget };

  function getThrottle(payer: Address) {
    return inFlight.isFull(payer) ? CROWDED : undefined;
  }

  async function verify(payment: SignedAuthorization, turn: Turn = atOnce): Promise<Verification> {
    const { from } = payment.authorization;
    const full = getThrottle(from);
    if (full !== undefined) return full;
    if (guard.needsHistory(from) && (await hasSettled?.(from))) guard.recall(from);
    // Checked again: more payments of this payer may have arrived meanwhile.
    return getThrottle(from) ?? check(payment, turn);
  }

  async function check(payment: SignedAuthorization, turn: Turn): Promise<Verification> {
    const { validBefore } = payment.authorization;
    if (validBefore <= BigInt(now())) return { ok: false, code: 'authorization_expired' };
    const position = inFlight.enter(payment.authorization);
    try {
      const plan = await planner.plan(payment, position, turn);
      if (!plan.ok) {
        position.leave();
        return plan;
      }
      forget(payment);
      planned.set(payment, { ...plan, position });
      return { ok: true };
    } catch (error) {
      position.leave();
      const code = getFacilitatorErrorCode(error);
      if (code === undefined) throw error;
      if (code === 'facilitator_unavailable') throw new FacilitatorUnavailable();
      return { ok: false, code };
    }
  }

  function take(payment: SignedAuthorization): Planned | undefined {
    const plan = planned.get(payment);
    planned.delete(payment);
    return plan;
  }

  function forget(payment: SignedAuthorization): void {
    const plan = take(payment);
    if (plan !== undefined) leave(plan);
  }
}

/** Releases what is reserved for a payment that is not sent. */
export function leave({ position, reservation }: Planned): void {
  position?.leave();
  reservation?.release();
}
