import type { DecodedPayment } from './decode.ts';
import { failedReceipt } from './deliveries.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import type { PaymentTerms } from './payment.ts';
import { createQuotes } from './quotes.ts';
import type { Ending } from './reconcile.ts';
import { isOurTrouble } from './settling.ts';

/** What the gate says when it does not sell. */
export interface Refusals {
  /** A fresh invoice, and why; at the base price unless told. */
  refuse(
    request: PricedRequest,
    error: string,
    price?: bigint,
  ): Extract<GateAnswer, { kind: 'quote' }>;
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
  return { refuse, notPaid };

  function refuse(request: PricedRequest, error: string, price = request.price) {
    const { resource, description } = request;
    const priced = { url: publicUrl(request.host) + resource, description, price };
    return { kind: 'quote', quote: quote(priced, error) } as const;
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
