import type { DecodedPayment } from '../authorization/decode.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import type { Verification } from '../facilitator/facilitator.ts';
import type { Ending } from '../settlement/reconcile.ts';
import { isOurTrouble } from '../settlement/settling.ts';
import { failedReceipt } from './deliveries.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { createQuotes } from './quotes.ts';

/** What the gate says when it does not sell. */
export interface Refusals {
  /** A fresh invoice, and why; at the base price unless told. */
  refuse(
    request: PricedRequest,
    error: string,
    price?: bigint,
  ): Extract<GateAnswer, { kind: 'quote' }>;
  /** Of a payment that would not settle now. */
  notVerified(
    request: PricedRequest,
    verified: Extract<Verification, { ok: false }>,
    price: bigint,
  ): GateAnswer;
  /** Of a settlement that came to nothing, or of which nobody knows. */
  notPaid(
    request: PricedRequest,
    payment: DecodedPayment,
    ending: Exclude<Ending, { kind: 'paid' }>,
    price: bigint,
  ): GateAnswer;
}

const RETRY_SECONDS = 2;

export function createRefusals(
  terms: PaymentTerms,
  /** Scheme and host of the canonical addresses, without a slash at the end. */
  publicUrl: (host?: string) => string,
): Refusals {
  const quote = createQuotes(terms);
  return { refuse, notVerified, notPaid };

  function refuse(request: PricedRequest, error: string, price = request.price) {
    const { resource, description, bazaar } = request;
    const priced = { url: publicUrl(request.host) + resource, description, price, bazaar };
    return { kind: 'quote', quote: quote(priced, error) } as const;
  }

  function notVerified(
    request: PricedRequest,
    { code, retryAfterSeconds }: Extract<Verification, { ok: false }>,
    price: bigint,
  ): GateAnswer {
    if (isOurTrouble(code)) return unsettled();
    if (retryAfterSeconds === undefined) return refuse(request, code, price);
    const wait = `wait ${retryAfterSeconds} s`;
    if (code === 'payer_must_wait') {
      const detail = `settlements for this payer failed, or took too much gas; ${wait}`;
      return { kind: 'problem', status: 429, detail, retryAfterSeconds };
    }
    const detail = `payments by accounts with code are not taken at the moment; ${wait}, or pay with a plain key`;
    return { kind: 'problem', status: 503, detail, retryAfterSeconds };
  }

  function notPaid(
    request: PricedRequest,
    payment: DecodedPayment,
    ending: Exclude<Ending, { kind: 'paid' }>,
    price: bigint,
  ): GateAnswer {
    if (ending.kind === 'open') return open();
    if (isOurTrouble(ending.code)) return unsettled();
    const receipt = failedReceipt(terms, payment.authorization.from, ending.code);
    return { ...refuse(request, ending.code, price), receipt };
  }
}

/** Without an invoice: it would invite to pay twice for one thing. */
export function conflict(): GateAnswer {
  const detail =
    'this payment identifier was used with another authorization or for another request; nothing was charged for this one: send what it was first used with, or take a new identifier';
  return { kind: 'problem', status: 409, code: 'payment_identifier_conflict', detail };
}

/** For reasons of ours. */
export function unsettled(): GateAnswer {
  const detail = 'payments cannot be taken at the moment; nothing was charged, try again soon';
  return { kind: 'problem', status: 503, detail, retryAfterSeconds: RETRY_SECONDS };
}

/** Nobody knows yet, and nobody may be charged anew for it. */
export function open(): GateAnswer {
  const detail =
    'whether this payment was charged is being found out; send the very same request again soon';
  return { kind: 'problem', status: 503, detail, retryAfterSeconds: RETRY_SECONDS };
}
