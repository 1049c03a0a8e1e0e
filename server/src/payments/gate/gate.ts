import type { Address } from '../../domain/hex.ts';
import type { PaymentRow } from '../../store/payments/paymentRow.ts';
import { type DecodedPayment, decodePayment } from '../authorization/decode.ts';
import { resourceOf } from '../authorization/invoice.ts';
import {
  findFault,
  findRecipientFault,
  findTimeFault,
  paysExactly,
} from '../authorization/judge.ts';
import type { Offered, PaymentTerms } from '../authorization/payment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import {
  type Facilitator,
  FacilitatorUnavailable,
  type Verification,
} from '../facilitator/facilitator.ts';
import type { Claimed, Ledger } from '../ledger/ledger.ts';
import type { PaymentCounts } from '../ledger/paymentCounts.ts';
import type { Past, Settling } from '../settlement/settling.ts';
import { claimOf, keyOf } from './claims.ts';
import { createDeliveries } from './deliveries.ts';
import { type Escalation, escalate } from './escalation.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { createPayerCalls } from './payerCalls.ts';
import { createRedelivery } from './redelivery.ts';
import { conflict, createRefusals, open, unsettled } from './refusals.ts';
import type { RequestCount, RequestLimits } from './requestLimits.ts';
import { createRequestsInFlight } from './requestsInFlight.ts';

/** Sells answers: nobody is charged twice, charged for nothing, or served for nothing. */
export interface Gate {
  handle(request: PricedRequest): Promise<GateAnswer>;
  /** Resolves when nothing is in flight any more. */
  close(): Promise<void>;
}

export interface GateDeps {
  readonly terms: PaymentTerms;
  /** Scheme and host of the canonical addresses, without a slash at the end, for who asked by that name. */
  readonly publicUrl: (host?: string) => string;
  readonly escalation: Escalation | null;
  readonly blocked: ReadonlySet<Address>;
  readonly limits: RequestLimits;
  readonly ledger: Ledger;
  readonly facilitator: Pick<Facilitator, 'verify' | 'forget'>;
  readonly settling: Settling;
  readonly counts: PaymentCounts;
  readonly chain: Pick<PaymentChain, 'head'>;
  /** Whether `authorization.from` signed it; asked for by this client. */
  readonly isSigned: (payment: DecodedPayment, client: string) => Promise<boolean>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** What is known of a payment when it is claimed. */
interface Served {
  readonly price: bigint;
  /** How long this request may wait. */
  readonly until: number;
  readonly past: Past;
  /** Undefined: not asked yet. */
  readonly verified: Verification | undefined;
}

/** Common clients fail at 16 KB of headers; a smart wallet's signature takes a few. */
export const MOST_HEADER_BYTES = 12_288;
/** Blocks before the head at which a new authorization cannot have been used: nodes differ by a few. */
const HEAD_MARGIN = 16;
/** How long a copy of a request waits for the first to be answered, also by another process. */
const PATIENCE_MS = 10_000;
/** How often it looks whether it may have what others released meanwhile. */
const MOST_TURNS = 3;

export function createGate(deps: GateDeps): Gate {
  const { terms, ledger, facilitator, settling, chain, now, onError } = deps;
  const deliveries = createDeliveries({ ledger, terms, now, onError });
  const inFlight = createRequestsInFlight({ ledger, now, onError });
  const refusals = createRefusals(terms, deps.publicUrl);
  const { refuse, notVerified, notPaid } = refusals;
  const { counts } = deps;
  const { again, afterAll } = createRedelivery({
    ledger,
    deliveries,
    inFlight,
    settling,
    refusals,
    counts,
    now,
  });
  const calls = createPayerCalls(ledger);

  return { handle, close };

  async function close(): Promise<void> {
    await inFlight.close();
    await deliveries.close();
  }

  async function handle(request: PricedRequest): Promise<GateAnswer> {
    if (request.payment === undefined) return refuse(request, 'payment_required');
    if (request.payment.length > MOST_HEADER_BYTES) {
      return { kind: 'problem', status: 431, detail: 'the payment header is too long' };
    }
    const decoded = decodePayment(request.payment);
    if (decoded.kind === 'undecodable') {
      const detail = 'the payment header must be base64 of a JSON object; sign the invoice again';
      return { kind: 'problem', status: 400, detail };
    }
    if (decoded.kind === 'faulty') return refuse(request, decoded.code);
    return sell(request, { ...decoded.payment, offered: offeredOf(request) });
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
    const fault = findFault(payment, { terms, resourceUrl: url });
    if (fault !== undefined) return refuse(request, fault);
    // What is over, or paid another, anybody may have from a chain: it is not worth a proof, unless it is known here.
    const unfit = findUnfit(payment);
    if (unfit !== undefined && !isAlive(await ledger.find(keyOf(terms, payment)))) {
      return refuse(request, unfit);
    }
    try {
      if (!(await deps.isSigned(payment, request.client)))
        return refuse(request, 'invalid_signature');
    } catch (error) {
      return unavailable(error);
    }
    if (deps.blocked.has(payer)) {
      return { kind: 'problem', status: 403, detail: 'this payer is not served' };
    }
    const count = deps.limits.of(request, payment);
    const until = performance.now() + PATIENCE_MS;
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const answer = await claimAndServe(request, payment, { until, count });
      if (answer !== undefined) return answer;
    }
    return open();
  }

  /** Undefined: another request had it, and released it while this one waited. */
  async function claimAndServe(
    request: PricedRequest,
    payment: DecodedPayment,
    { until, count }: { readonly until: number; readonly count: RequestCount },
  ): Promise<GateAnswer | undefined> {
    const { authorization } = payment;
    const key = keyOf(terms, payment);
    const settled = await calls.get(authorization.from);
    const price = priceFor(request, settled);
    const unfit = findUnfit(payment);
    const wrong = unfit ?? (paysExactly(payment, price) ? undefined : 'invalid_amount');
    if (wrong !== undefined) {
      return (await known(unfit !== undefined)) ?? refuse(request, wrong, price);
    }
    // Its payer has sent enough for now, which keeps nobody from what was paid before.
    if (count.isFull() && !(await ledger.find(key))?.sent) return count.take('new');
    let fromBlock: number;
    let verified: Verification | undefined;
    try {
      fromBlock = Math.max(0, (await chain.head()).number - HEAD_MARGIN);
      // Anybody can make a key: for one that never paid nothing is written down before it can pay.
      if (settled === 0) verified = await facilitator.verify(payment);
    } catch (error) {
      return unavailable(error);
    }
    if (verified?.ok === false)
      return (await known(false)) ?? notVerified(request, verified, price);
    const { owner } = ledger;
    const claim = claimOf(request, payment, { terms, owner, fromBlock, now: now() });
    let claimed: Claimed | undefined;
    try {
      claimed = await ledger.claim(claim);
    } finally {
      if (claimed?.kind !== 'claimed') facilitator.forget(payment);
    }
    const sent = claimed.kind === 'taken' ? claimed.row.sent : claimed.sent;
    const tooMany = count.take(sent ? 'public' : 'new');
    if (tooMany !== undefined) {
      facilitator.forget(payment);
      if (claimed.kind === 'claimed') await ledger.released(key);
      return tooMany;
    }
    if (claimed.kind === 'taken') return again(request, payment, claimed.row, { price, until });
    if (claimed.kind === 'identifier-conflict') return conflict();
    return inFlight.track(key, serve(request, payment, { price, until, past: claimed, verified }));

    /** What was paid for in time, at the price and to the address of its time, is still handed out. */
    async function known(isPublic: boolean): Promise<GateAnswer | undefined> {
      const row = await ledger.find(key);
      const tooMany = count.take(isPublic || row?.sent ? 'public' : 'new');
      if (tooMany !== undefined) return tooMany;
      if (!isAlive(row)) return undefined;
      const find = isLeft(row) ? afterAll : again;
      return find(request, payment, row, { price, until });
    }
  }

  /** From a fresh claim to the answer. */
  async function serve(
    request: PricedRequest,
    payment: DecodedPayment,
    { price, until, past, verified: early }: Served,
  ): Promise<GateAnswer> {
    const key = keyOf(terms, payment);
    let kept = false;
    try {
      const verified = early ?? (await facilitator.verify(payment));
      if (!verified.ok) {
        const row = past.sent ? await ledger.find(key) : undefined;
        const options = { price, until, mine: true };
        const found = row && (await afterAll(request, payment, row, options));
        await ledger.released(key);
        return found ?? notVerified(request, verified, price);
      }
      const answer = await request.answer();
      if (answer.status < 200 || answer.status > 299) {
        await ledger.released(key);
        return { kind: 'free', answer };
      }
      kept = true;
      if (!(await ledger.keepAnswer(key, answer, now()))) return open();
      const ending = await settling.settle(key, payment, past);
      if (ending.kind === 'paid') {
        calls.add(key.payer);
        if (ending.first) counts.settled(request.route, price);
        return deliveries.start(key, answer, ending.transaction);
      }
      return notPaid(request, payment, ending, price);
    } catch (error) {
      // Once the answer may be kept, only the chain says whether to release it.
      if (!kept) await ledger.released(key);
      if (error instanceof FacilitatorUnavailable) return unavailable(error);
      throw error;
    } finally {
      facilitator.forget(payment);
    }
  }

  function findUnfit(payment: DecodedPayment): string | undefined {
    const { authorization } = payment;
    return (
      findRecipientFault(payment, terms) ?? findTimeFault(authorization, { terms, now: now() })
    );
  }

  /** Whether it is more than a memory: in flight, settled, or released in a way that the chain has not confirmed. */
  function isAlive(row: PaymentRow | undefined): row is PaymentRow {
    if (row === undefined) return false;
    return !isLeft(row) || (row.sent && row.finalAt === null);
  }

  /** Nobody works on it, and it was not kept for anybody. */
  function isLeft(row: PaymentRow): boolean {
    return row.state === 'released' || (row.state === 'claimed' && row.leaseUntil < now());
  }

  function priceFor({ price }: PricedRequest, settled: number): bigint {
    return deps.escalation === null ? price : escalate(price, settled, deps.escalation);
  }

  function unavailable(error: unknown): GateAnswer {
    onError(error);
    return unsettled();
  }
}
