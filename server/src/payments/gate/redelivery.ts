import type { FoundRow, KnownPayment, PaymentRow } from '../../store/payments/paymentRow.ts';
import type { DecodedPayment } from '../authorization/decode.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentCounts } from '../ledger/paymentCounts.ts';
import type { Settling } from '../settlement/settling.ts';
import { clientOf, hashOf, isSame } from './claims.ts';
import type { Deliveries } from './deliveries.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { chargedBefore, conflict, open, type Refusals } from './refusals.ts';
import type { RequestsInFlight } from './requestsInFlight.ts';
import { createStoredResponses, type WaitOptions } from './storedResponses.ts';

/**
 * Delivers paid responses again: with a payment identifier as often as requested; without one, to the same client, for
 * a short time and until delivered. Payments sent to a chain are public: a client that has only copied one learns
 * nothing, not even which request it was for.
 */
export interface Redelivery {
  /**
   * Responds to a request whose payment the ledger has. Undefined: it was released meanwhile, and has to be claimed
   * again.
   */
  redeliver(
    request: PricedRequest,
    payment: DecodedPayment,
    row: KnownPayment,
    options: RedeliveryOptions,
  ): Promise<GateAnswer | undefined>;
  /**
   * Checks a payment that was released after it may have been sent: the chain may have it after all. Undefined: it does
   * not, and a rejection is correct.
   */
  checkLateSettlement(
    request: PricedRequest,
    payment: DecodedPayment,
    row: PaymentRow,
    options: RedeliveryOptions,
  ): Promise<GateAnswer | undefined>;
}

export interface RedeliveryOptions extends WaitOptions {
  /** Whether the work in flight on it belongs to this request. */
  readonly isOwnWork?: boolean;
}

/** Seconds after its settlement for which a response without a payment identifier is available. */
const UNNAMED_SECONDS = 60;

export function createRedelivery(deps: {
  readonly ledger: Ledger;
  readonly deliveries: Deliveries;
  readonly inFlight: RequestsInFlight;
  readonly settling: Settling;
  readonly refusals: Refusals;
  readonly counts: PaymentCounts;
  /** Unix seconds. */
  readonly now: () => number;
}): Redelivery {
  const { ledger, inFlight, settling, counts, now } = deps;
  const { refuse, notPaid } = deps.refusals;
  const { deliver, waitFor } = createStoredResponses(deps);
  return { redeliver, checkLateSettlement };

  async function redeliver(
    request: PricedRequest,
    payment: DecodedPayment,
    row: KnownPayment,
    { price, until, isOwnWork = false }: RedeliveryOptions,
  ): Promise<GateAnswer | undefined> {
    if (row.state === 'found') return respondToFound(request, payment, row, price);
    const named = payment.identifier !== null;
    const fits = isSame(payment, row) && row.request === hashOf(request);
    if (named && !(fits && row.identifier === payment.identifier)) return conflict();
    if (!isSame(payment, row)) return refuse(request, 'authorization_already_used', price);
    if (!named && !mayBePayer(request, payment, row, now()))
      return rejectOtherClient(request, row, price);
    if (!fits) return refuse(request, 'payment_used_for_other_request', price);
    switch (row.state) {
      case 'settled':
        // Between its settlement and its response.
        if (!named && !isOwnWork && inFlight.find(row) !== undefined) {
          return refuse(request, 'payment_in_progress', price);
        }
        return (
          (await deliver(request, row, named)) ?? refuse(request, 'payment_already_used', price)
        );
      case 'released':
        return refuse(request, 'payment_already_used', price);
      // A reorg removed it, or it was never mined, and it can no longer be paid.
      case 'lost':
        return refuse(request, 'payment_lost', price);
      case 'claimed':
        return named
          ? waitFor(request, row, { price, until })
          : refuse(request, 'payment_in_progress', price);
      default:
        if (row.state === 'settling' && row.leaseUntil >= now()) {
          return named
            ? waitFor(request, row, { price, until })
            : refuse(request, 'payment_in_progress', price);
        }
        if (!(await ledger.takeOver(row, now()))) return open();
        return inFlight.track(row, finish(request, payment, row, price));
    }
  }

  /** The same for every client: the request and the identifier of the payment are not known. */
  function respondToFound(
    request: PricedRequest,
    { authorization }: DecodedPayment,
    row: FoundRow,
    price: bigint,
  ): GateAnswer {
    const isSameTransfer = authorization.value === row.value && authorization.to === row.payTo;
    if (!isSameTransfer) return refuse(request, 'authorization_already_used', price);
    const isOver = row.deliveredAt !== null || row.refundedAt !== null;
    return isOver ? refuse(request, 'payment_already_used', price) : chargedBefore();
  }

  /** The same regardless of the request. */
  function rejectOtherClient(request: PricedRequest, row: PaymentRow, price: bigint): GateAnswer {
    if (row.state === 'lost') return refuse(request, 'payment_lost', price);
    const over = row.state === 'settled' || row.state === 'released';
    if (over) return refuse(request, 'payment_already_used', price);
    const working = row.state === 'claimed' || row.leaseUntil >= now();
    return working ? refuse(request, 'payment_in_progress', price) : open();
  }

  async function checkLateSettlement(
    request: PricedRequest,
    payment: DecodedPayment,
    row: PaymentRow,
    options: RedeliveryOptions,
  ): Promise<GateAnswer | undefined> {
    const result = await settling.check(row, payment, row);
    if (result.kind === 'open' && result.unusedAt === null) return open();
    if (result.kind === 'unrecorded') return chargedBefore();
    if (result.kind !== 'paid') return undefined;
    if (result.first) counts.settled(row.route, row.value);
    const { transaction } = result;
    const settled = { ...row, state: 'settled', transaction, settledAt: now() } as const;
    return redeliver(request, payment, settled, options);
  }

  /** Finishes a payment that another process left unfinished, or whose status was unknown. */
  async function finish(
    request: PricedRequest,
    payment: DecodedPayment,
    row: PaymentRow,
    price: bigint,
  ): Promise<GateAnswer> {
    const result = await settling.resume(row);
    if (result.kind !== 'paid') return notPaid(request, payment, result, price);
    if (result.first) counts.settled(request.route, row.value);
    const settled = { ...row, transaction: result.transaction };
    return (
      (await deliver(request, settled, payment.identifier !== null)) ??
      refuse(request, 'payment_already_used', price)
    );
  }
}

/**
 * Whether a client without an identifier may be the payer: the payment is not public yet, or the client is the same.
 */
function mayBePayer(
  request: PricedRequest,
  payment: DecodedPayment,
  row: PaymentRow,
  now: number,
): boolean {
  if (!row.sent) return true;
  if (row.identifier !== null || row.client !== clientOf(request, payment)) return false;
  return row.settledAt === null || now < row.settledAt + UNNAMED_SECONDS;
}
