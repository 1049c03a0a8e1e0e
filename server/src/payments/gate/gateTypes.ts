import type { PaymentAnswer } from '../../store/payments/paymentRow.ts';
import type { Bazaar } from '../authorization/invoice.ts';
import type { Quote } from './quotes.ts';

/** One request to a priced resource. */
export interface PricedRequest {
  readonly method: 'GET' | 'HEAD';
  /** Canonical path and query, starting with the slash: what is paid for. */
  readonly resource: string;
  /** The host by which the client called the server, as the client sent it. */
  readonly host?: string | undefined;
  /** Name of the route, for the ledger. */
  readonly route: string;
  readonly description: string;
  /** How to request it, for directories. */
  readonly bazaar?: Bazaar | undefined;
  /** Base price of one call, before any escalation. */
  readonly price: bigint;
  /** How many calls it counts as: in its price, in the limits of its payer, and in the payer's tier. */
  readonly calls: number;
  /** The payment header, undecoded. */
  readonly payment: string | undefined;
  /** The client's address: an IPv4 address, or the /64 of an IPv6 client. */
  readonly client: string;
  /** Produces the response. Only a 2xx is charged. */
  answer(): Promise<PaymentAnswer>;
}

export type GateAnswer =
  | PaidAnswer
  /** Not charged: the handler had nothing to sell. */
  | { readonly kind: 'free'; readonly answer: PaymentAnswer }
  | {
      readonly kind: 'quote';
      /** The reason; see refusalCodes.ts. */
      readonly error: string;
      readonly quote: Quote;
      /** PAYMENT-RESPONSE of a settlement that failed. */
      readonly receipt?: string;
    }
  | {
      readonly kind: 'problem';
      readonly status: 400 | 403 | 409 | 429 | 431 | 503;
      /** For programs: lower case, with underscores. */
      readonly code?: string;
      readonly detail: string;
      readonly retryAfterSeconds?: number;
    };

export interface PaidAnswer {
  readonly kind: 'paid';
  /** Set for the request that was charged; absent for a redelivery. */
  readonly first?: true;
  readonly answer: PaymentAnswer;
  /** PAYMENT-RESPONSE. */
  readonly receipt: string;
  /** The last byte was sent. */
  delivered(): void;
  /** The client is gone: the response stays available for it. */
  lost(): void;
}
