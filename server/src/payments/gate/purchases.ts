import type { KnownPayment } from '../../store/payments/paymentRow.ts';
import type { DecodedPayment } from '../authorization/decode.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import { paysExactly } from '../authorization/validatePayment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import type { Facilitator } from '../facilitator/facilitator.ts';
import type { Continuity } from '../ledger/continuity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentCounts } from '../ledger/paymentCounts.ts';
import type { Settling } from '../settlement/settling.ts';
import type { Unrecorded } from '../settlement/unrecorded.ts';
import type { Attempt } from './attempt.ts';
import { createFindCharged } from './charged.ts';
import { keyOf } from './claims.ts';
import { createDeliveries } from './deliveries.ts';
import type { FairSemaphore } from './fairSemaphore.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { createKnownPayments } from './knownPayments.ts';
import { createNewClaims, type PriorState } from './newClaims.ts';
import { isAbandoned } from './paymentState.ts';
import { createRedelivery } from './redelivery.ts';
import { open, type Refusals } from './refusals.ts';
import type { RequestLimits } from './requestLimits.ts';
import { createRequestsInFlight } from './requestsInFlight.ts';
import { createSale } from './sale.ts';
import type { SaleStops } from './saleStops.ts';

/** Sells responses for payments that their payers signed. */
export interface Purchases {
  handle(request: PricedRequest, payment: DecodedPayment): Promise<GateAnswer>;
  /** Resolves when nothing is in flight. */
  close(): Promise<void>;
}

export interface PurchaseDeps {
  readonly terms: PaymentTerms;
  readonly limits: RequestLimits;
  /** The queue for verifying payers that never settled anything here. */
  readonly newPayers: FairSemaphore;
  readonly ledger: Ledger;
  readonly continuity: Continuity;
  readonly facilitator: Pick<Facilitator, 'kind' | 'verify' | 'getThrottle' | 'forget'>;
  readonly settling: Settling;
  readonly unrecorded: Pick<Unrecorded, 'find'>;
  readonly counts: PaymentCounts;
  readonly chain: Pick<PaymentChain, 'head'>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** How long a duplicate request waits for the response to the first, also in another process. */
const WAIT_TIMEOUT_MS = 10_000;
/** How often it checks whether it can claim a payment that others released meanwhile. */
const MAX_TURNS = 3;

export function createPurchases(
  deps: PurchaseDeps & {
    readonly refusals: Refusals;
    readonly stops: Pick<SaleStops, 'ofPayment'>;
    /** Resolves in an event-loop turn of its own. */
    readonly turn: () => Promise<void>;
    readonly priceFor: (request: PricedRequest, settledCalls: number) => bigint;
    /** Why a payment cannot be accepted now, regardless of its price. */
    readonly findStaleness: (payment: DecodedPayment) => string | undefined;
  },
): Purchases {
  const { terms, limits, ledger, continuity, refusals, stops, turn, now } = deps;
  const deliveries = createDeliveries(deps);
  const inFlight = createRequestsInFlight(deps);
  const redelivery = createRedelivery({ ...deps, deliveries, inFlight });
  const known = createKnownPayments({ ledger, redelivery, now });
  const findCharged = createFindCharged(deps);
  const sale = createSale({ ...deps, deliveries, redelivery, findCharged });
  const newClaims = createNewClaims({ ...deps, known, redelivery, sale, inFlight });
  return { handle, close };

  async function close(): Promise<void> {
    await inFlight.close();
    await deliveries.close();
  }

  async function handle(request: PricedRequest, payment: DecodedPayment): Promise<GateAnswer> {
    const key = keyOf(terms, payment);
    const count = limits.of(request, payment);
    const until = performance.now() + WAIT_TIMEOUT_MS;
    for (let i = 0; i < MAX_TURNS; i++) {
      // Before the row is read: the claim of an earlier ledger may be missing in it.
      const timeline = continuity.timeline();
      const { row, settledCalls } = await ledger.findWithCalls(key);
      const price = deps.priceFor(request, settledCalls);
      const one = { request, payment, key, price, until, count };
      const answer = await attempt(one, row, { settledCalls, timeline });
      if (answer !== undefined) return answer;
    }
    return open();
  }

  /** Undefined: another request had the payment, and released it while this one waited. */
  async function attempt(
    one: Attempt,
    row: KnownPayment | undefined,
    prior: PriorState,
  ): Promise<GateAnswer | undefined> {
    const { request, payment, price, until, count } = one;
    const { authorization } = payment;
    const stale = deps.findStaleness(payment);
    const wrong = stale ?? (paysExactly(payment, price) ? undefined : 'invalid_amount');
    if (wrong !== undefined) {
      return known.deliverOr(one, stale !== undefined, async () => {
        const charged = (await continuity.mayLack(authorization))
          ? await findCharged(request, payment)
          : undefined;
        return charged ?? refusals.refuse(request, wrong, price);
      });
    }
    const notNow = stops.ofPayment();
    if (notNow !== undefined) {
      return known.deliverOr(one, false, async () =>
        (await continuity.mayLack(authorization)) ? open() : notNow,
      );
    }
    // After a failover the claim may be lost while its response is on the way, and the chain may not show the charge
    // yet.
    if (!row?.sent && (await continuity.mayLack(authorization))) {
      return count.take('new') ?? (await findCharged(request, payment)) ?? open();
    }
    // Many reads end at once: the work after them is spread over event-loop turns, like signature verification.
    await turn();
    // Keys are free to create: a payer is counted before any other work for it. Payments that were sent are public and
    // count against the client, so that copies of them do not use up the payer's limit.
    const tooMany = count.take(row?.sent ? 'public' : 'new');
    if (tooMany !== undefined) return tooMany;
    // In progress or settled: the response needs no RPC endpoint, so a failing one does not prevent it.
    if (row !== undefined && !isAbandoned(row, now())) {
      return redelivery.redeliver(request, payment, row, { price, until });
    }
    return newClaims.sell(one, prior);
  }
}
