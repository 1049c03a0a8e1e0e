import type { Address } from '../../domain/hex.ts';
import { createOneATurn } from '../../runtime/oneATurn.ts';
import { StoreUnavailable } from '../../store/storeUnavailable.ts';
import { type DecodedPayment, decodePayment } from '../authorization/decode.ts';
import { resourceOf } from '../authorization/invoice.ts';
import type { Offered, PaymentTerms } from '../authorization/payment.ts';
import {
  findRecipientError,
  findTermsError,
  findValidityError,
  paysExactly,
} from '../authorization/validatePayment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import type { Facilitator, Verification } from '../facilitator/facilitator.ts';
import type { Continuity } from '../ledger/continuity.ts';
import type { Claimed, Ledger } from '../ledger/ledger.ts';
import type { PaymentCounts } from '../ledger/paymentCounts.ts';
import type { Selling } from '../settlement/selling.ts';
import type { Settling } from '../settlement/settling.ts';
import type { Unrecorded } from '../settlement/unrecorded.ts';
import { createFindCharged } from './charged.ts';
import { claimOf, keyOf } from './claims.ts';
import { createDeliveries } from './deliveries.ts';
import { type Escalation, priceOfCalls } from './escalation.ts';
import type { FairSemaphore } from './fairSemaphore.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { createPayerCalls } from './payerCalls.ts';
import { isAbandoned, isActive } from './paymentState.ts';
import { createRedelivery } from './redelivery.ts';
import { conflict, createRefusals, open, unavailable, unlessUncharged } from './refusals.ts';
import type { RequestCount, RequestLimits } from './requestLimits.ts';
import { createRequestsInFlight } from './requestsInFlight.ts';
import { createSale } from './sale.ts';
import { createSaleStops } from './saleStops.ts';

/** Sells responses. It never charges twice, never charges without a response, and never responds without payment. */
export interface Gate {
  handle(request: PricedRequest): Promise<GateAnswer>;
  /** Whether a payment signed now would be accepted; if not, no invoice is returned. */
  isSelling(): boolean;
  /** Resolves when nothing is in flight. */
  close(): Promise<void>;
}

export interface GateDeps {
  readonly terms: PaymentTerms;
  /** Scheme and host of the canonical URLs, without a trailing slash, for the host that the client requested. */
  readonly publicUrl: (host?: string) => string;
  readonly escalation: Escalation | null;
  readonly blocked: ReadonlySet<Address>;
  readonly limits: RequestLimits;
  /** The queue for verifying payers that never settled anything here. */
  readonly newPayers: FairSemaphore;
  readonly ledger: Ledger;
  readonly continuity: Continuity;
  readonly facilitator: Pick<Facilitator, 'kind' | 'verify' | 'getThrottle' | 'forget'>;
  readonly settling: Settling;
  readonly unrecorded: Pick<Unrecorded, 'find'>;
  readonly selling: Pick<Selling, 'isStopped'>;
  /** Whether the store has room for another claim. */
  readonly hasRoom: () => boolean;
  readonly counts: PaymentCounts;
  readonly chain: Pick<PaymentChain, 'head'>;
  /** Whether `authorization.from` signed it; the check counts against this client. */
  readonly isSigned: (payment: DecodedPayment, client: string) => Promise<boolean>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Common clients fail at 16 KB of headers; a smart wallet's signature takes a few KB. */
export const MAX_PAYMENT_HEADER_BYTES = 12_288;
/** How long a duplicate request waits for the response to the first, also in another process. */
const WAIT_TIMEOUT_MS = 10_000;
/** How often it checks whether it can claim a payment that others released meanwhile. */
const MAX_TURNS = 3;
/** Rejections of payments that an earlier request may have charged. */
const MAY_BE_CHARGED: ReadonlySet<string> = new Set([
  'authorization_already_used',
  'payment_already_used',
  'payment_in_progress',
  'payment_used_for_other_request',
]);

export function createGate(deps: GateDeps): Gate {
  const { terms, ledger, continuity, facilitator, settling, chain, now, onError } = deps;
  const deliveries = createDeliveries({ ledger, terms, now, onError });
  const inFlight = createRequestsInFlight({ ledger, now, onError });
  const refusals = createRefusals(terms, deps.publicUrl, (request) => priceFor(request, 0));
  const { refuse, notVerified } = refusals;
  const { counts } = deps;
  const redelivery = createRedelivery({
    ...{ ledger, deliveries, inFlight, settling, refusals, counts, now },
  });
  const { redeliver, checkLateSettlement } = redelivery;
  const calls = createPayerCalls(ledger);
  const findCharged = createFindCharged(deps);
  const { serve, notCharged } = createSale({
    ...{ terms, ledger, continuity, facilitator, settling, deliveries, redelivery, refusals },
    ...{ calls, counts, findCharged, now, onError },
  });
  const turn = createOneATurn();
  const stops = createSaleStops(deps);

  return { handle, isSelling: stops.isSelling, close };

  async function close(): Promise<void> {
    await inFlight.close();
    await deliveries.close();
  }

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
    const count = deps.limits.of(request, payment);
    const until = performance.now() + WAIT_TIMEOUT_MS;
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const answer = await claimAndServe(request, payment, { until, count });
      if (answer !== undefined) return answer;
    }
    return open();
  }

  /** Whether an earlier request may have charged it, according to the ledger. Proves nothing about this client. */
  async function mayBeCharged(payment: DecodedPayment): Promise<boolean> {
    const row = await ledger.find(keyOf(terms, payment));
    return isActive(row, now()) || (await continuity.mayLack(payment.authorization));
  }

  /** Undefined: another request had the payment, and released it while this one waited. */
  async function claimAndServe(
    request: PricedRequest,
    payment: DecodedPayment,
    { until, count }: { readonly until: number; readonly count: RequestCount },
  ): Promise<GateAnswer | undefined> {
    const { authorization } = payment;
    const key = keyOf(terms, payment);
    const settled = await calls.get(authorization.from);
    const price = priceFor(request, settled);
    const stale = findStaleness(payment);
    const wrong = stale ?? (paysExactly(payment, price) ? undefined : 'invalid_amount');
    if (wrong !== undefined) {
      return knownOr(stale !== undefined, async () => {
        const charged = (await continuity.mayLack(authorization))
          ? await findCharged(request, payment)
          : undefined;
        return charged ?? refuse(request, wrong, price);
      });
    }
    const notNow = stops.ofPayment();
    if (notNow !== undefined) {
      return knownOr(false, async () =>
        (await continuity.mayLack(authorization)) ? open() : notNow,
      );
    }
    const timeline = continuity.timeline();
    const row = await ledger.find(key);
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
    if (row !== undefined && !isAbandoned(row, now()))
      return redeliver(request, payment, row, { price, until });
    const throttle = facilitator.getThrottle?.(authorization.from);
    if (throttle !== undefined) {
      return knownOr(false, () => notVerified(request, throttle, price));
    }
    let head: number;
    let verified: Verification | undefined;
    try {
      head = (await chain.head()).number;
      if (settled === 0) {
        verified = await facilitator.verify(payment, (work) =>
          deps.newPayers.run(request.client, work),
        );
      }
    } catch (error) {
      const answer = unavailable(error, onError);
      return knownOr(false, () => answer);
    }
    if (verified?.ok === false) {
      const failed = verified;
      return knownOr(false, () => notCharged(request, payment, { verified: failed, price, count }));
    }
    const { owner } = ledger;
    const claim = claimOf(request, payment, { terms, owner, head, now: now() });
    let claimed: Claimed | undefined;
    try {
      claimed = await ledger.claim(claim);
    } finally {
      if (claimed?.kind !== 'claimed') facilitator.forget(payment);
    }
    if (claimed.kind === 'taken') return redeliver(request, payment, claimed.row, { price, until });
    if (claimed.kind === 'identifier-conflict') return conflict();
    const served = { price, until, prior: claimed, timeline, verified, count };
    return inFlight.track(key, serve(request, payment, served));

    /** Delivers payments that were made in time, at the price and to the recipient of that time. */
    async function knownOr(
      isPublic: boolean,
      otherwise: () => GateAnswer | Promise<GateAnswer>,
    ): Promise<GateAnswer> {
      const row = await ledger.find(key);
      const tooMany = count.take(isPublic || row?.sent ? 'public' : 'new');
      if (tooMany !== undefined) return tooMany;
      if (!isActive(row, now())) return otherwise();
      const options = { price, until };
      const found =
        row.state !== 'found' && isAbandoned(row, now())
          ? await checkLateSettlement(request, payment, row, options)
          : await redeliver(request, payment, row, options);
      return found ?? unlessUncharged(await otherwise());
    }
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
