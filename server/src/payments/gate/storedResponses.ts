import { pause } from '../../runtime/pause.ts';
import type { PaymentRow } from '../../store/payments/paymentRow.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Deliveries } from './deliveries.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { chargedBefore, open, type Refusals } from './refusals.ts';
import type { RequestsInFlight } from './requestsInFlight.ts';

/** The responses of payments in the ledger, sent to a client that is known to be the payer. */
export interface StoredResponses {
  /**
   * Delivers the stored response to a client with the identifier, or to one that never received it. Produces it again
   * if it has expired without a delivery. Undefined if it was delivered or refunded.
   */
  deliver(request: PricedRequest, row: PaymentRow, named: boolean): Promise<GateAnswer | undefined>;
  /** Waits for the request that works on a named payment. Undefined: it was released. */
  waitFor(
    request: PricedRequest,
    row: PaymentRow,
    options: WaitOptions,
  ): Promise<GateAnswer | undefined>;
}

export interface WaitOptions {
  /** The price in a new invoice. */
  readonly price: bigint;
  /** How long to wait for the first request, by performance.now. */
  readonly until: number;
}

export function createStoredResponses(deps: {
  readonly ledger: Pick<Ledger, 'owner' | 'find' | 'takeDelivery'>;
  readonly deliveries: Deliveries;
  readonly inFlight: Pick<RequestsInFlight, 'find'>;
  readonly refusals: Pick<Refusals, 'refuse'>;
  /** Unix seconds. */
  readonly now: () => number;
}): StoredResponses {
  const { ledger, deliveries, inFlight, now } = deps;
  const { refuse } = deps.refusals;
  return { deliver, waitFor };

  async function deliver(
    request: PricedRequest,
    row: PaymentRow,
    named: boolean,
  ): Promise<GateAnswer | undefined> {
    const { transaction } = row;
    if (transaction === null || row.refundedAt !== null) return undefined;
    if (row.answer === null && row.deliveredAt !== null) return undefined;
    const answer = row.answer ?? (await request.answer());
    if (answer.status < 200 || answer.status > 299) return { kind: 'free', answer };
    if (named) return deliveries.start(row, answer, transaction);
    if (row.deliveredAt !== null || deliveries.has(row)) return undefined;
    // Another process may be sending it now.
    if (row.owner !== ledger.owner && row.leaseUntil >= now()) return open();
    // From here on duplicates see it in flight; the row may be outdated by now.
    const delivery = deliveries.start(row, answer, transaction);
    let taken = false;
    try {
      taken = await ledger.takeDelivery(row, now());
    } finally {
      if (!taken) delivery.lost();
    }
    if (taken) return delivery;
    const found = await ledger.find(row);
    const over = found === undefined || found.deliveredAt !== null || found.refundedAt !== null;
    return over ? undefined : open();
  }

  async function waitFor(
    request: PricedRequest,
    row: PaymentRow,
    { price, until }: WaitOptions,
  ): Promise<GateAnswer | undefined> {
    const first = inFlight.find(row);
    if (first !== undefined) {
      const answer = await first;
      if (answer.kind !== 'paid') return answer;
    }
    for (let ms = 25; ; ms = Math.min(ms * 2, 500)) {
      const found = await ledger.find(row);
      if (found?.state === 'settled') {
        return (
          (await deliver(request, found, true)) ?? refuse(request, 'payment_already_used', price)
        );
      }
      if (found === undefined || found.state === 'released') return undefined;
      if (found.state === 'found') return chargedBefore();
      const coming = found.state === 'claimed' || found.state === 'settling';
      if (!coming || performance.now() >= until) return open();
      await pause(ms);
    }
  }
}
