import type { Address } from '../../domain/hex.ts';
import { createOneATurn } from '../../runtime/oneATurn.ts';
import { StoreUnavailable } from '../../store/storeUnavailable.ts';
import { type DecodedPayment, decodePayment } from '../authorization/decode.ts';
import { resourceOf } from '../authorization/invoice.ts';
import type { Offered } from '../authorization/payment.ts';
import {
  findRecipientError,
  findTermsError,
  findValidityError,
} from '../authorization/validatePayment.ts';
import type { Selling } from '../settlement/selling.ts';
import { keyOf } from './claims.ts';
import { type Escalation, priceOfCalls } from './escalation.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { isActive } from './paymentState.ts';
import { createPurchases, type PurchaseDeps } from './purchases.ts';
import { createRefusals, open, unavailable } from './refusals.ts';
import { createSaleStops } from './saleStops.ts';

/** Sells responses. It never charges twice, never charges without a response, and never responds without payment. */
export interface Gate {
  handle(request: PricedRequest): Promise<GateAnswer>;
  /** Whether a payment signed now would be accepted; if not, no invoice is returned. */
  isSelling(): boolean;
  /** Resolves when nothing is in flight. */
  close(): Promise<void>;
}

export interface GateDeps extends PurchaseDeps {
  /** Scheme and host of the canonical URLs, without a trailing slash, for the host that the client requested. */
  readonly publicUrl: (host?: string) => string;
  readonly escalation: Escalation | null;
  readonly blocked: ReadonlySet<Address>;
  readonly selling: Pick<Selling, 'isStopped'>;
  /** Whether the store has room for another claim. */
  readonly hasRoom: () => boolean;
  /** Whether `authorization.from` signed it; the check counts against this client. */
  readonly isSigned: (payment: DecodedPayment, client: string) => Promise<boolean>;
}

/** Common clients fail at 16 KB of headers; a smart wallet's signature takes a few KB. */
export const MAX_PAYMENT_HEADER_BYTES = 12_288;
/** Rejections of payments that an earlier request may have charged. */
const MAY_BE_CHARGED: ReadonlySet<string> = new Set([
  'authorization_already_used',
  'payment_already_used',
  'payment_in_progress',
  'payment_used_for_other_request',
]);

export function createGate(deps: GateDeps): Gate {
  const { terms, ledger, continuity, now, onError } = deps;
  const refusals = createRefusals(terms, deps.publicUrl, (request) => priceFor(request, 0));
  const { refuse } = refusals;
  const stops = createSaleStops(deps);
  const turn = createOneATurn();
  const purchases = createPurchases({ ...deps, refusals, stops, turn, priceFor, findStaleness });

  return { handle, isSelling: stops.isSelling, close: purchases.close };

  async function handle(request: PricedRequest): Promise<GateAnswer> {
    const split = stops.ofSplit();
    if (split !== undefined) return split;
    const answer = await respond(request);
    const notNow = answer.kind === 'quote' ? stops.ofInvoice() : undefined;
    if (answer.kind !== 'quote' || notNow === undefined) return answer;
    // The response must not claim that nothing was charged.
    return MAY_BE_CHARGED.has(answer.error) ? open() : notNow;
  }

  async function respond(request: PricedRequest): Promise<GateAnswer> {
    if (request.payment === undefined) return refuse(request, 'payment_required');
    if (request.payment.length > MAX_PAYMENT_HEADER_BYTES) {
      return { kind: 'problem', status: 431, detail: 'the payment header is too long' };
    }
    // One payment per event-loop turn, so that a flood does not delay all other requests.
    await turn();
    const decoded = decodePayment(request.payment);
    if (decoded.kind === 'undecodable') {
      const detail = 'the payment header must be base64 of a JSON object; sign the invoice again';
      return { kind: 'problem', status: 400, detail };
    }
    if (decoded.kind === 'invalid') return refuse(request, decoded.code);
    try {
      return await sell(request, { ...decoded.payment, offered: offeredOf(request) });
    } catch (error) {
      // An earlier request may have charged it, which only the ledger shows.
      if (error instanceof StoreUnavailable) return open();
      throw error;
    }
  }

  function offeredOf({ bazaar, host, resource, description }: PricedRequest): Offered | undefined {
    if (bazaar === undefined) return undefined;
    const url = deps.publicUrl(host) + resource;
    return { resource: resourceOf({ url, description }), extensions: { bazaar } };
  }

  async function sell(request: PricedRequest, payment: DecodedPayment): Promise<GateAnswer> {
    const { authorization } = payment;
    const payer = authorization.from;
    const url = deps.publicUrl(request.host) + request.resource;
    const error = findTermsError(payment, { terms, resourceUrl: url });
    if (error !== undefined) return refuse(request, error);
    // Expired payments and payments to another recipient are public on chain. Skip signature verification unless the
    // ledger may have the payment.
    const stale = findStaleness(payment);
    if (stale !== undefined && !(await mayBeCharged(payment))) {
      return refuse(request, stale);
    }
    try {
      if (!(await deps.isSigned(payment, request.client)))
        return refuse(request, 'invalid_signature');
    } catch (error) {
      const answer = unavailable(error, onError);
      return (await mayBeCharged(payment)) ? open() : answer;
    }
    if (deps.blocked.has(payer)) {
      return { kind: 'problem', status: 403, detail: 'this payer is blocked' };
    }
    return purchases.handle(request, payment);
  }

  /** Whether an earlier request may have charged it, according to the ledger. Proves nothing about this client. */
  async function mayBeCharged(payment: DecodedPayment): Promise<boolean> {
    const row = await ledger.find(keyOf(terms, payment));
    return isActive(row, now()) || (await continuity.mayLack(payment.authorization));
  }

  function findStaleness(payment: DecodedPayment): string | undefined {
    const { authorization } = payment;
    return (
      findRecipientError(payment, terms) ?? findValidityError(authorization, { terms, now: now() })
    );
  }

  function priceFor(request: PricedRequest, settled: number): bigint {
    return priceOfCalls(request, settled, deps.escalation);
  }
}
