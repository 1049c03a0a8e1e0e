import type { PaymentTerms } from '../authorization/payment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import type { Facilitator, Verification } from '../facilitator/facilitator.ts';
import type { Claimed, Ledger } from '../ledger/ledger.ts';
import type { Attempt } from './attempt.ts';
import { claimOf } from './claims.ts';
import type { FairSemaphore } from './fairSemaphore.ts';
import type { GateAnswer } from './gateTypes.ts';
import type { KnownPayments } from './knownPayments.ts';
import type { Redelivery } from './redelivery.ts';
import { conflict, type Refusals, unavailable } from './refusals.ts';
import type { RequestsInFlight } from './requestsInFlight.ts';
import type { Sale } from './sale.ts';

/** Payments that the ledger does not have, or has released: verified if needed, claimed, and sold. */
export interface NewClaims {
  /** Undefined: another request had the payment, and released it while this one waited. */
  sell(attempt: Attempt, by: PriorState): Promise<GateAnswer | undefined>;
}

export interface PriorState {
  /** How many calls the payer has settled. */
  readonly settledCalls: number;
  /** The timeline of the ledger before it was read. */
  readonly timeline: number;
}

export function createNewClaims(deps: {
  readonly terms: PaymentTerms;
  readonly ledger: Pick<Ledger, 'owner' | 'claim'>;
  readonly chain: Pick<PaymentChain, 'head'>;
  readonly facilitator: Pick<Facilitator, 'verify' | 'getThrottle' | 'forget'>;
  /** The queue for verifying payers that never settled anything here. */
  readonly newPayers: FairSemaphore;
  readonly known: KnownPayments;
  readonly redelivery: Pick<Redelivery, 'redeliver'>;
  readonly refusals: Pick<Refusals, 'notVerified'>;
  readonly sale: Sale;
  readonly inFlight: Pick<RequestsInFlight, 'track'>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): NewClaims {
  const { terms, ledger, chain, facilitator, newPayers, known, inFlight, now, onError } = deps;
  const { redeliver } = deps.redelivery;
  const { notVerified } = deps.refusals;
  const { serve, notCharged } = deps.sale;
  return { sell };

  async function sell(
    attempt: Attempt,
    { settledCalls, timeline }: PriorState,
  ): Promise<GateAnswer | undefined> {
    const { request, payment, key, price, until, count } = attempt;
    const throttle = facilitator.getThrottle?.(payment.authorization.from);
    if (throttle !== undefined) {
      return known.deliverOr(attempt, false, () => notVerified(request, throttle, price));
    }
    let head: number;
    let verified: Verification | undefined;
    try {
      head = (await chain.head()).number;
      if (settledCalls === 0) {
        verified = await facilitator.verify(payment, (work) => newPayers.run(request.client, work));
      }
    } catch (error) {
      const answer = unavailable(error, onError);
      return known.deliverOr(attempt, false, () => answer);
    }
    if (verified?.ok === false) {
      const failed = verified;
      return known.deliverOr(attempt, false, () =>
        notCharged(request, payment, { verified: failed, price, count }),
      );
    }
    const { owner } = ledger;
    const claim = claimOf(request, payment, { terms, owner, head, now: now() });
    let claimed: Claimed | undefined;
    try {
      claimed = await ledger.claim(claim);
    } finally {
      if (claimed?.kind !== 'claimed') facilitator.forget(payment);
    }
    if (claimed.kind === 'taken') return redeliver(request, payment, claimed.row, { price, until });
    if (claimed.kind === 'identifier-conflict') return conflict();
    const served = { price, until, prior: claimed, timeline, verified, count };
    return inFlight.track(key, serve(request, payment, served));
  }
}
