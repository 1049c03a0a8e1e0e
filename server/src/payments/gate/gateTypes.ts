import type { PaymentAnswer } from '../../store/payments/paymentRow.ts';
import type { Bazaar } from '../authorization/invoice.ts';
import type { Quote } from './quotes.ts';

/** One request to a resource that costs something. */
export interface PricedRequest {
  readonly method: 'GET' | 'HEAD';
  /** Canonical path and query, from the slash on: what is paid for. */
  readonly resource: string;
  /** The name by which the client called the server; a claim of its own. */
  readonly host?: string | undefined;
  /** Name of the route, for the ledger. */
  readonly route: string;
  readonly description: string;
  /** How it is asked for, for directories. */
  readonly bazaar?: Bazaar | undefined;
  /** Base price, before any escalation. */
  readonly price: bigint;
  /** The payment header, undecoded. */
  readonly payment: string | undefined;
  /** Who asks, by address: an IPv4 one, or the /64 that an IPv6 client has to itself. */
  readonly client: string;
  /** Makes the answer. Only a 2xx is charged. */
  answer(): Promise<PaymentAnswer>;
}

export type GateAnswer =
  | PaidAnswer
  /** Not charged: the handler had nothing to sell. */
  | { readonly kind: 'free'; readonly answer: PaymentAnswer }
  | {
      readonly kind: 'quote';
      readonly quote: Quote;
      /** PAYMENT-RESPONSE of a settlement that failed. */
      readonly receipt?: string;
    }
  | {
      readonly kind: 'problem';
      readonly status: 400 | 403 | 409 | 429 | 431 | 503;
      /** For programs: lower-case, with underscores. */
      readonly code?: string;
      readonly detail: string;
      readonly retryAfterSeconds?: number;
    };

export interface PaidAnswer {
  readonly kind: 'paid';
  readonly answer: PaymentAnswer;
  /** PAYMENT-RESPONSE. */
  readonly receipt: string;
  /** The last byte has left. */
  delivered(): void;
  /** The client is gone: the answer waits for it. */
  lost(): void;
}
