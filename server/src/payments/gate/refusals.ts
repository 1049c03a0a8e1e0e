import type { DecodedPayment } from '../authorization/decode.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import type { Verification } from '../facilitator/facilitator.ts';
import type { SettlementResult } from '../settlement/reconcile.ts';
import { isFacilitatorError } from '../settlement/settling.ts';
import { failedReceipt } from './deliveries.ts';
import { Crowded } from './fairSemaphore.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { createQuotes } from './quotes.ts';

/** The responses of the gate when it does not sell. */
export interface Refusals {
  /** Returns a new invoice with the reason. Default price: the base price. */
  refuse(
    request: PricedRequest,
    error: string,
    price?: bigint,
  ): Extract<GateAnswer, { kind: 'quote' }>;
  /** For a payment that would not settle now. */
  notVerified(
    request: PricedRequest,
    verified: Extract<Verification, { ok: false }>,
    price: bigint,
  ): GateAnswer;
  /** For a settlement that failed, or whose status is unknown. */
  notPaid(
    request: PricedRequest,
    payment: DecodedPayment,
    result: Exclude<SettlementResult, { kind: 'paid' }>,
    price: bigint,
  ): GateAnswer;
}

const RETRY_SECONDS = 2;
/** Until an operator has acted. */
const STOPPED_SECONDS = 600;
const NO_ROOM_SECONDS = 60;

export function createRefusals(
  terms: PaymentTerms,
  /** Scheme and host of the canonical URLs, without a trailing slash. */
  publicUrl: (host?: string) => string,
  /** The price for a payer that never settled anything. */
  firstPrice: (request: PricedRequest) => bigint,
): Refusals {
  const quote = createQuotes(terms);
  return { refuse, notVerified, notPaid };

  function refuse(request: PricedRequest, error: string, price = firstPrice(request)) {
    const { resource, description, bazaar } = request;
    const priced = { url: publicUrl(request.host) + resource, description, price, bazaar };
    return { kind: 'quote', error, quote: quote(priced, error) } as const;
  }

  function notVerified(
    request: PricedRequest,
    { code, retryAfterSeconds }: Extract<Verification, { ok: false }>,
    price: bigint,
  ): GateAnswer {
    if (isFacilitatorError(code)) return unsettled();
    if (retryAfterSeconds === undefined) return refuse(request, code, price);
    const wait = `wait ${retryAfterSeconds} s`;
    if (code === 'payer_throttled') {
      const detail = `other payments by this payer are in flight, failed, or took too much gas; ${wait}`;
      return { kind: 'problem', status: 429, detail, retryAfterSeconds };
    }
    const detail = `payments by accounts with code are not taken at the moment; ${wait}, or pay with a plain key`;
    return { kind: 'problem', status: 503, detail, retryAfterSeconds };
  }

  function notPaid(
    request: PricedRequest,
    payment: DecodedPayment,
    result: Exclude<SettlementResult, { kind: 'paid' }>,
    price: bigint,
  ): GateAnswer {
    if (result.kind === 'open') return open();
    if (result.kind === 'unrecorded') return chargedBefore();
    // An RPC endpoint may have accepted what it reported as failed.
    if (result.code === 'facilitator_unavailable') return open();
    if (isFacilitatorError(result.code)) return unsettled();
    const receipt = failedReceipt(terms, payment.authorization.from, result.code);
    return { ...refuse(request, result.code, price), receipt };
  }
}

/** Without an invoice, which would lead the client to pay twice for one response. */
export function conflict(): GateAnswer {
  const detail =
    'this payment identifier was used with another authorization or for another request; nothing was charged for this one: send what it was first used with, or take a new identifier';
  return { kind: 'problem', status: 409, code: 'payment_identifier_conflict', detail };
}

/** Too many payments were lost: no invoice, and no payment is accepted. */
export function stopped(): GateAnswer {
  const detail =
    'this server does not sell at the moment; nothing was charged for this request, try again later';
  const retryAfterSeconds = STOPPED_SECONDS;
  return { kind: 'problem', status: 503, code: 'selling_stopped', detail, retryAfterSeconds };
}

/** Without an invoice: whether a response was sent is unknown, and the payment is listed for refund. */
export function chargedBefore(): GateAnswer {
  const detail =
    'this payment was charged, and the server has no record of its response; it is listed for refund. To get the response, request a new invoice without a payment';
  return { kind: 'problem', status: 409, code: 'payment_unrecorded', detail };
}

/** For failures that are not the payer's. */
export function unsettled(): GateAnswer {
  const detail = 'payments cannot be taken at the moment; nothing was charged, try again soon';
  return { kind: 'problem', status: 503, detail, retryAfterSeconds: RETRY_SECONDS };
}

/** The disk of the store is almost full. */
export function noRoom(): GateAnswer {
  return { ...unsettled(), retryAfterSeconds: NO_ROOM_SECONDS } as GateAnswer;
}

/** Too many payers that never paid wait for verification. */
export function busy(): GateAnswer {
  const detail =
    'too many payers are paying for the first time; nothing was charged, send the same request again soon';
  return { kind: 'problem', status: 503, detail, retryAfterSeconds: RETRY_SECONDS };
}

/** Returns 503 while the ledger cannot be relied on. An earlier request may have charged this payment. */
export function paused(retryAfterSeconds: number): GateAnswer {
  const detail = `payments are not taken while the database recovers; this request charged nothing, send the same request again in ${retryAfterSeconds} s`;
  return { kind: 'problem', status: 503, detail, retryAfterSeconds };
}

/** Returns 503 while settlement is unresolved, so that the client retries instead of paying twice. */
export function open(): GateAnswer {
  return {
    kind: 'problem',
    status: 503,
    code: 'payment_status_unknown',
    detail: `The status of this payment is not known yet. Retry the same request after ${RETRY_SECONDS} seconds; do not sign a new payment.`,
    retryAfterSeconds: RETRY_SECONDS,
  };
}

/** Replaces a 503, which states that nothing was charged: an earlier request may have charged the payment. */
export function unlessUncharged(answer: GateAnswer): GateAnswer {
  return answer.kind === 'problem' && answer.status === 503 ? open() : answer;
}

/** Returns 503 when the payment could not be verified. */
export function unavailable(error: unknown, onError: (error: unknown) => void): GateAnswer {
  if (error instanceof Crowded) return busy();
  onError(error);
  return unsettled();
}
