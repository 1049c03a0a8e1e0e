import type { DecodedPayment } from '../authorization/decode.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import {
  type Facilitator,
  FacilitatorUnavailable,
  type Verification,
} from '../facilitator/facilitator.ts';
import type { Continuity } from '../ledger/continuity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentCounts } from '../ledger/paymentCounts.ts';
import type { PriorAttempt, Settling } from '../settlement/settling.ts';
import type { FindCharged } from './charged.ts';
import { keyOf } from './claims.ts';
import type { Deliveries } from './deliveries.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import type { Redelivery } from './redelivery.ts';
import { open, type Refusals, unavailable, unlessUncharged } from './refusals.ts';
import type { RequestCount } from './requestLimits.ts';

/** Verifies a claimed payment, produces and stores its response, and only then charges. */
export interface Sale {
  /** From a new claim to the response. */
  serve(request: PricedRequest, payment: DecodedPayment, claimed: Served): Promise<GateAnswer>;
  /** Responds to a payment that would not settle: it may have settled already, with its record lost. */
  notCharged(request: PricedRequest, payment: DecodedPayment, by: NotVerified): Promise<GateAnswer>;
}

export interface NotVerified {
  readonly verified: Extract<Verification, { ok: false }>;
  readonly price: bigint;
  readonly count: RequestCount;
}

/** The state of a payment when it is claimed. */
export interface Served {
  readonly price: bigint;
  /** How long this request may wait. */
  readonly until: number;
  readonly prior: PriorAttempt;
  /** The timeline of the ledger before the claim. */
  readonly timeline: number;
  /** Undefined: not verified yet. */
  readonly verified: Verification | undefined;
  readonly count: RequestCount;
}

export function createSale(deps: {
  readonly terms: PaymentTerms;
  readonly ledger: Ledger;
  readonly continuity: Continuity;
  readonly facilitator: Pick<Facilitator, 'kind' | 'verify' | 'forget'>;
  readonly settling: Settling;
  readonly deliveries: Deliveries;
  readonly redelivery: Pick<Redelivery, 'checkLateSettlement'>;
  readonly refusals: Refusals;
  readonly counts: PaymentCounts;
  readonly findCharged: FindCharged;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): Sale {
  const { terms, ledger, continuity, facilitator, settling, now, onError } = deps;
  const { notVerified, notPaid } = deps.refusals;
  const { checkLateSettlement } = deps.redelivery;
  return { serve, notCharged };

  async function serve(
    request: PricedRequest,
    payment: DecodedPayment,
    { price, until, prior, timeline, verified: early, count }: Served,
  ): Promise<GateAnswer> {
    const key = keyOf(terms, payment);
    let kept = false;
    try {
      const verified = early ?? (await facilitator.verify(payment));
      if (!verified.ok) {
        const row = prior.sent ? await ledger.find(key) : undefined;
        const options = { price, until, isOwnWork: true };
        const found =
          row &&
          row.state !== 'found' &&
          (await checkLateSettlement(request, payment, row, options));
        await ledger.released(key);
        if (found) return found;
        const answer = await notCharged(request, payment, { verified, price, count });
        return prior.sent ? unlessUncharged(answer) : answer;
      }
      const answer = await request.answer();
      if (answer.status < 200 || answer.status > 299) {
        await ledger.released(key);
        return { kind: 'free', answer };
      }
      kept = true;
      if (!(await ledger.keepAnswer(key, answer, now()))) return open();
      // The claim is in the ledger of an old primary, or this one may lack an earlier claim: no money moves.
      if (continuity.isSplit() || continuity.timeline() !== timeline) {
        if (!prior.sent) await ledger.unsent(key);
        return open();
      }
      const result = await settling.settle(key, payment, prior);
      if (result.kind === 'paid') {
        if (result.first) deps.counts.settled(request.route, price);
        return { ...deps.deliveries.start(key, answer, result.transaction), first: true };
      }
      return notPaid(request, payment, result, price);
    } catch (error) {
      // Once the response may be stored, only the chain decides whether to release the claim.
      if (!kept) await ledger.released(key);
      // The response must not claim that nothing was charged.
      if (kept || prior.sent) {
        onError(error);
        return open();
      }
      if (error instanceof FacilitatorUnavailable) return unavailable(error, onError);
      throw error;
    } finally {
      facilitator.forget(payment);
    }
  }

  async function notCharged(
    request: PricedRequest,
    payment: DecodedPayment,
    by: NotVerified,
  ): Promise<GateAnswer> {
    const { verified, price, count } = by;
    const isUsed = verified.code === 'authorization_already_used';
    // It is public, so any client may have sent a copy.
    const tooMany = isUsed ? count.takeAsPublic() : undefined;
    if (tooMany !== undefined) return tooMany;
    // A service has its own codes.
    const mayBe = facilitator.kind === 'remote' || isUsed;
    const charged = mayBe ? await deps.findCharged(request, payment) : undefined;
    return charged ?? notVerified(request, verified, price);
  }
}
