import { pause } from '../../runtime/pause.ts';
import type { PaymentRow } from '../../store/payments/paymentRow.ts';
import type { DecodedPayment } from '../authorization/decode.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentCounts } from '../ledger/paymentCounts.ts';
import type { Settling } from '../settlement/settling.ts';
import { clientOf, hashOf, isSame } from './claims.ts';
import type { Deliveries } from './deliveries.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { conflict, open, type Refusals } from './refusals.ts';
import type { RequestsInFlight } from './requestsInFlight.ts';

/**
 * Hands out again what was paid for: to who names the payment as often as it asks, without a name to the same client
 * for a while and until it had it. What is sent to a chain is public: who only has that learns nothing, not even for
 * which request it was.
 */
export interface Redelivery {
  /**
   * Answers a request whose payment the ledger knows. Undefined: whoever had it released it meanwhile, and it is to be
   * claimed anew.
   */
  again(
    request: PricedRequest,
    payment: DecodedPayment,
    row: PaymentRow,
    options: AgainOptions,
  ): Promise<GateAnswer | undefined>;
  /**
   * Of one that was released after it may have been sent: the chain may have it all the same. Undefined: it does not, and
   * a refusal is right.
   */
  afterAll(
    request: PricedRequest,
    payment: DecodedPayment,
    row: PaymentRow,
    options: AgainOptions,
  ): Promise<GateAnswer | undefined>;
}

export interface AgainOptions {
  /** That of a fresh invoice. */
  readonly price: bigint;
  /** How long to wait for the first request, by performance.now. */
  readonly until: number;
  /** The work in flight on it is this request's own. */
  readonly mine?: boolean;
}

/** So long after its settlement an answer waits for a client that did not name it. */
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
  const { ledger, deliveries, inFlight, settling, counts, now } = deps;
  const { refuse, notPaid } = deps.refusals;
  return { again, afterAll };

  async function again(
    request: PricedRequest,
    payment: DecodedPayment,
    row: PaymentRow,
    { price, until, mine = false }: AgainOptions,
  ): Promise<GateAnswer | undefined> {
    const named = payment.identifier !== null;
    const fits = isSame(payment, row) && row.request === hashOf(request);
    if (named && !(fits && row.identifier === payment.identifier)) return conflict();
    if (!isSame(payment, row)) return refuse(request, 'authorization_already_used', price);
    if (!named && !isOwn(request, payment, row)) return answerStranger(request, row, price);
    if (!fits) return refuse(request, 'payment_used_for_other_request', price);
    switch (row.state) {
      case 'settled':
        // Between its settlement and its answer.
        if (!named && !mine && inFlight.find(row) !== undefined) {
          return refuse(request, 'payment_in_progress', price);
        }
        return (
          (await handOut(request, row, named)) ?? refuse(request, 'payment_already_used', price)
        );
      case 'released':
        return refuse(request, 'payment_already_used', price);
      // It was taken back by the chain, or never was there, and can be paid no more.
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

  /** Whether who does not name it may be its payer: nobody else has it yet, or the same client asks soon after. */
  function isOwn(request: PricedRequest, payment: DecodedPayment, row: PaymentRow): boolean {
    if (!row.sent) return true;
    if (row.identifier !== null || row.client !== clientOf(request, payment)) return false;
    return row.settledAt === null || now() < row.settledAt + UNNAMED_SECONDS;
  }

  /** The same whatever was asked for. */
  function answerStranger(request: PricedRequest, row: PaymentRow, price: bigint): GateAnswer {
    if (row.state === 'lost') return refuse(request, 'payment_lost', price);
    const over = row.state === 'settled' || row.state === 'released';
    if (over) return refuse(request, 'payment_already_used', price);
    const working = row.state === 'claimed' || row.leaseUntil >= now();
    return working ? refuse(request, 'payment_in_progress', price) : open();
  }

  async function afterAll(
    request: PricedRequest,
    payment: DecodedPayment,
    row: PaymentRow,
    options: AgainOptions,
  ): Promise<GateAnswer | undefined> {
    const ending = await settling.look(row, payment, row.fromBlock);
    if (ending.kind === 'open' && !ending.unused) return open();
    if (ending.kind !== 'paid') return undefined;
    if (ending.first) counts.settled(row.route, row.value);
    const { transaction } = ending;
    const settled = { ...row, state: 'settled', transaction, settledAt: now() } as const;
    return again(request, payment, settled, options);
  }

  /**
   * The kept answer: to who named the payment, and to who never got it; one that is gone and never reached anybody is
   * made anew. Undefined when it was sent or refunded.
   */
  async function handOut(
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
    // Another process may be sending it just now.
    if (row.owner !== ledger.owner && row.leaseUntil >= now()) return open();
    // From here on other copies see it in flight; what the row said may be old by now.
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

  /** What another process left half way, or an earlier doubt. */
  async function finish(
    request: PricedRequest,
    payment: DecodedPayment,
    row: PaymentRow,
    price: bigint,
  ): Promise<GateAnswer> {
    const ending = await settling.resume(row);
    if (ending.kind !== 'paid') return notPaid(request, payment, ending, price);
    if (ending.first) counts.settled(request.route, row.value);
    const settled = { ...row, transaction: ending.transaction };
    return (
      (await handOut(request, settled, payment.identifier !== null)) ??
      refuse(request, 'payment_already_used', price)
    );
  }

  async function waitFor(
    request: PricedRequest,
    row: PaymentRow,
    { price, until }: AgainOptions,
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
          (await handOut(request, found, true)) ?? refuse(request, 'payment_already_used', price)
        );
      }
      if (found === undefined || found.state === 'released') return undefined;
      const coming = found.state === 'claimed' || found.state === 'settling';
      if (!coming || performance.now() >= until) return open();
      await pause(ms);
    }
  }
}
