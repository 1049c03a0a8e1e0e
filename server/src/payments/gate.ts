import type { Address } from '../domain/hex.ts';
import type { TokenBuckets } from '../domain/tokenBuckets.ts';
import type { PaymentRow } from '../store/payments/paymentRow.ts';
import { claimOf, keyOf } from './claims.ts';
import { type DecodedPayment, decodePayment } from './decode.ts';
import { createDeliveries } from './deliveries.ts';
import { type Escalation, escalate } from './escalation.ts';
import { type Facilitator, FacilitatorUnavailable } from './facilitator/facilitator.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { findFault, findRecipientFault, findTimeFault, paysExactly } from './judge.ts';
import type { Ledger } from './ledger.ts';
import { createPayerCalls } from './payerCalls.ts';
import type { PaymentTerms } from './payment.ts';
import type { PaymentChain } from './paymentChain.ts';
import type { PaymentCounts } from './paymentCounts.ts';
import { createRedelivery } from './redelivery.ts';
import { createRefusals, open, unsettled } from './refusals.ts';
import type { Settling } from './settling.ts';
import { createUnderWay } from './underWay.ts';

/** Sells answers: nobody is charged twice, charged for nothing, or served for nothing. */
export interface Gate {
  handle(request: PricedRequest): Promise<GateAnswer>;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

export interface GateDeps {
  readonly terms: PaymentTerms;
  /** Scheme and host of the canonical addresses, without a slash at the end, for who asked by that name. */
  readonly publicUrl: (host?: string) => string;
  readonly escalation: Escalation | null;
  readonly blocked: ReadonlySet<Address>;
  readonly limit: TokenBuckets;
  readonly ledger: Ledger;
  readonly facilitator: Pick<Facilitator, 'verify'>;
  readonly settling: Settling;
  readonly counts: PaymentCounts;
  readonly chain: Pick<PaymentChain, 'head'>;
  /** Whether `authorization.from` signed it. */
  readonly isSigned: (payment: DecodedPayment) => Promise<boolean>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Common clients fail at 16 KB of headers; a smart wallet's signature takes a few. */
export const MOST_HEADER_BYTES = 12_288;
/** Blocks before the head at which a new authorization cannot have been used: nodes differ by a few. */
const HEAD_MARGIN = 16;
/** How long a copy of a request waits for the first to be answered, also by another process. */
const PATIENCE_MS = 10_000;
/** How often it looks whether it may have what others let go meanwhile. */
const MOST_TURNS = 3;

export function createGate(deps: GateDeps): Gate {
  const { terms, ledger, facilitator, settling, chain, now, onError } = deps;
  const deliveries = createDeliveries({ ledger, terms, now, onError });
  const underWay = createUnderWay({ ledger, now, onError });
  const refusals = createRefusals(terms, deps.publicUrl);
  const { refuse, notPaid } = refusals;
  const { counts } = deps;
  const { again } = createRedelivery({
    ledger,
    deliveries,
    underWay,
    settling,
    refusals,
    counts,
    now,
  });
  const calls = createPayerCalls(ledger);

  return { handle, close };

  async function close(): Promise<void> {
    await underWay.close();
    await deliveries.written();
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
    return sell(request, decoded.payment);
  }

  async function sell(request: PricedRequest, payment: DecodedPayment): Promise<GateAnswer> {
    const { authorization } = payment;
    const payer = authorization.from;
    const url = deps.publicUrl(request.host) + request.resource;
    const fault = findFault(payment, { terms, resourceUrl: url });
    if (fault !== undefined) return refuse(request, fault);
    try {
      if (!(await deps.isSigned(payment))) return refuse(request, 'invalid_signature');
    } catch (error) {
      return unavailable(error);
    }
    if (deps.blocked.has(payer)) {
      return { kind: 'problem', status: 403, detail: 'this payer is not served' };
    }
    const wait = deps.limit.take(payer, performance.now());
    if (wait !== undefined) {
      const detail = `more requests than one payer may send; wait ${wait} s`;
      return { kind: 'problem', status: 429, detail, retryAfterSeconds: wait };
    }
    const until = performance.now() + PATIENCE_MS;
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const answer = await claimAndServe(request, payment, until);
      if (answer !== undefined) return answer;
    }
    return open();
  }

  /** Undefined: another request had it, and let go of it while this one waited. */
  async function claimAndServe(
    request: PricedRequest,
    payment: DecodedPayment,
    until: number,
  ): Promise<GateAnswer | undefined> {
    const { authorization } = payment;
    const price = await priceFor(request, authorization.from);
    const wrong =
      findRecipientFault(payment, terms) ??
      findTimeFault(authorization, { terms, now: now() }) ??
      (paysExactly(payment, price) ? undefined : 'invalid_amount');
    // What was paid for in time, at the price and to the address of its time, is still handed out.
    if (wrong !== undefined) {
      const row = await ledger.find(keyOf(terms, payment));
      const known = row !== undefined && row.state !== 'released' && !isAbandoned(row);
      const answer = known ? await again(request, payment, row, { price, until }) : undefined;
      return answer ?? refuse(request, wrong, price);
    }
    let fromBlock: number;
    try {
      fromBlock = Math.max(0, (await chain.head()).number - HEAD_MARGIN);
    } catch (error) {
      return unavailable(error);
    }
    const { owner } = ledger;
    const claim = claimOf(request, payment, { terms, owner, fromBlock, now: now() });
    const claimed = await ledger.claim(claim);
    if (claimed.kind === 'taken') return again(request, payment, claimed.row, { price, until });
    if (claimed.kind === 'identifier-conflict') {
      return refuse(request, 'payment_identifier_conflict', price);
    }
    return underWay.track(keyOf(terms, payment), serve(request, payment, { price, fromBlock }));
  }

  /** From a fresh claim to the answer. */
  async function serve(
    request: PricedRequest,
    payment: DecodedPayment,
    { price, fromBlock }: { readonly price: bigint; readonly fromBlock: number },
  ): Promise<GateAnswer> {
    const key = keyOf(terms, payment);
    let kept = false;
    try {
      const verified = await facilitator.verify(payment);
      if (!verified.ok) {
        await ledger.released(key);
        return refuse(request, verified.code, price);
      }
      const answer = await request.answer();
      if (answer.status < 200 || answer.status > 299) {
        await ledger.released(key);
        return { kind: 'free', answer };
      }
      kept = true;
      if (!(await ledger.keepAnswer(key, answer, now()))) return open();
      const ending = await settling.settle(key, payment, fromBlock);
      if (ending.kind === 'paid') {
        calls.add(key.payer);
        if (ending.first) counts.settled(request.route, price);
        return deliveries.start(key, answer, ending.transaction);
      }
      return notPaid(request, payment, ending, price);
    } catch (error) {
      // Once the answer may be kept, only the chain says whether to let go.
      if (!kept) await ledger.released(key);
      if (error instanceof FacilitatorUnavailable) return unavailable(error);
      throw error;
    }
  }

  /** Nobody works on it, and nothing of it was broadcast. */
  function isAbandoned(row: PaymentRow): boolean {
    return row.state === 'claimed' && row.leaseUntil < now();
  }

  async function priceFor(request: PricedRequest, payer: Address): Promise<bigint> {
    if (deps.escalation === null) return request.price;
    return escalate(request.price, await calls.get(payer), deps.escalation);
  }

  function unavailable(error: unknown): GateAnswer {
    onError(error);
    return unsettled();
  }
}
