import { createHash } from 'node:crypto';
import type { Address, Hex } from '../domain/hex.ts';
import type { TokenBuckets } from '../domain/tokenBuckets.ts';
import type { Claim, PaymentKey, PaymentRow } from '../store/payments/payments.ts';
import { type DecodedPayment, decodePayment } from './decode.ts';
import { createDeliveries, failedReceipt } from './deliveries.ts';
import { type Escalation, escalate } from './escalation.ts';
import { type Facilitator, FacilitatorUnavailable } from './facilitator/facilitator.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { findFault, findRecipientFault, findTimeFault, paysExactly } from './judge.ts';
import { LEASE_SECONDS, type Ledger } from './ledger.ts';
import { createPayerCalls } from './payerCalls.ts';
import type { PaymentTerms } from './payment.ts';
import type { PaymentChain } from './paymentChain.ts';
import type { PaymentCounts } from './paymentCounts.ts';
import { nameOf } from './paymentName.ts';
import { createQuotes } from './quotes.ts';
import type { Ending } from './reconcile.ts';
import { isOurTrouble, type Settling } from './settling.ts';

/** Sells answers: nobody is charged twice, charged for nothing, or served for nothing. */
export interface Gate {
  handle(request: PricedRequest): Promise<GateAnswer>;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

export interface GateDeps {
  readonly terms: PaymentTerms;
  /** Scheme and host of the canonical addresses, without a slash at the end. */
  readonly publicUrl: () => string;
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
const MOST_HEADER_BYTES = 12_288;
/** Blocks before the head at which a new authorization cannot have been used: nodes differ by a few. */
const HEAD_MARGIN = 16;
const RENEW_MS = (LEASE_SECONDS * 1000) / 3;
const RETRY_SECONDS = 2;
/** How long a copy of a request waits for another process to answer the first. */
const PATIENCE_MS = 10_000;

export function createGate(deps: GateDeps): Gate {
  const { terms, ledger, facilitator, settling, chain, now, onError } = deps;
  const quote = createQuotes(terms);
  const deliveries = createDeliveries({ ledger, terms, now, onError });
  const calls = createPayerCalls(ledger);
  /** Requests between claim and answer, by payment: copies with the same identifier wait here. */
  const underWay = new Map<string, UnderWay>();
  const renewing = setInterval(() => {
    const keys = [...underWay.values()].map(({ key }) => key);
    if (keys.length > 0) ledger.renewLeases(keys, now()).catch(onError);
  }, RENEW_MS).unref();

  return { handle, close };

  async function close(): Promise<void> {
    await Promise.allSettled([...underWay.values()].map(({ work }) => work));
    await deliveries.written();
    clearInterval(renewing);
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
    const url = deps.publicUrl() + request.resource;
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
    const price = await priceFor(request, payer);
    const wrong =
      findRecipientFault(payment, terms) ??
      findTimeFault(authorization, { terms, now: now() }) ??
      (paysExactly(payment, price) ? undefined : 'invalid_amount');
    // What was paid for in time, at the price and to the address of its time, is still handed out.
    if (wrong !== undefined) {
      const row = await ledger.find(keyOf(payment));
      const known = row !== undefined && row.state !== 'released' && !isAbandoned(row);
      return known ? again(request, payment, row, price) : refuse(request, wrong, price);
    }
    let fromBlock: number;
    try {
      fromBlock = Math.max(0, (await chain.head()).number - HEAD_MARGIN);
    } catch (error) {
      return unavailable(error);
    }
    const claimed = await ledger.claim(claimOf(request, payment, fromBlock));
    if (claimed.kind === 'taken') return again(request, payment, claimed.row, price);
    if (claimed.kind === 'identifier-conflict') {
      return refuse(request, 'payment_identifier_conflict', price);
    }
    return track(keyOf(payment), serve(request, payment, { price, fromBlock }));
  }

  /** From a fresh claim to the answer. */
  async function serve(
    request: PricedRequest,
    payment: DecodedPayment,
    { price, fromBlock }: { readonly price: bigint; readonly fromBlock: number },
  ): Promise<GateAnswer> {
    const key = keyOf(payment);
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
        if (ending.first) deps.counts.settled(request.route, price);
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

  /** A payment that has been seen before. */
  async function again(
    request: PricedRequest,
    payment: DecodedPayment,
    row: PaymentRow,
    price: bigint,
  ): Promise<GateAnswer> {
    if (row.request !== hashOf(request)) {
      return refuse(request, 'payment_used_for_other_request', price);
    }
    if (!isSame(payment, row)) return refuse(request, 'authorization_already_used', price);
    const named = payment.identifier !== null;
    if (named && row.identifier !== payment.identifier) {
      return refuse(request, 'payment_identifier_conflict', price);
    }
    switch (row.state) {
      case 'settled':
        // Between its settlement and its answer.
        if (!named && underWay.has(nameOf(row))) {
          return refuse(request, 'payment_in_progress', price);
        }
        return (await handOut(row, named)) ?? refuse(request, 'payment_already_used', price);
      case 'released':
        return refuse(request, 'payment_already_used', price);
      case 'claimed':
        return named ? waitFor(request, row, price) : refuse(request, 'payment_in_progress', price);
      default:
        if (row.state === 'settling' && row.leaseUntil >= now()) {
          return named
            ? waitFor(request, row, price)
            : refuse(request, 'payment_in_progress', price);
        }
        if (!(await ledger.takeOver(row, now()))) return open();
        return track(row, finish(request, payment, row, price));
    }
  }

  /** Nobody works on it, and nothing of it was broadcast. */
  function isAbandoned(row: PaymentRow): boolean {
    return row.state === 'claimed' && row.leaseUntil < now();
  }

  /** The kept answer: to who named the payment, and to who never got it. Undefined when it is gone, or was sent. */
  async function handOut(row: PaymentRow, named: boolean): Promise<GateAnswer | undefined> {
    const { answer, transaction } = row;
    if (answer === null || transaction === null) return undefined;
    if (named) return deliveries.start(row, answer, transaction);
    if (row.deliveredAt !== null || deliveries.has(row)) return undefined;
    // Another process may be sending it just now.
    if (row.owner !== ledger.owner && row.leaseUntil >= now()) return open();
    // From here on other copies see it under way; what the row said may be old by now.
    const delivery = deliveries.start(row, answer, transaction);
    let taken = false;
    try {
      taken = await ledger.takeDelivery(row, now());
    } finally {
      if (!taken) delivery.lost();
    }
    if (taken) return delivery;
    const found = await ledger.find(row);
    return found === undefined || found.deliveredAt !== null ? undefined : open();
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
    if (ending.first) deps.counts.settled(request.route, row.value);
    const settled = { ...row, transaction: ending.transaction };
    return (
      (await handOut(settled, payment.identifier !== null)) ??
      refuse(request, 'payment_already_used', price)
    );
  }

  async function waitFor(
    request: PricedRequest,
    row: PaymentRow,
    price: bigint,
  ): Promise<GateAnswer> {
    const first = underWay.get(nameOf(row))?.work;
    const end = performance.now() + PATIENCE_MS;
    if (first !== undefined) {
      const answer = await first;
      if (answer.kind !== 'paid') return answer;
    }
    for (let pause = 25; performance.now() < end; pause = Math.min(pause * 2, 500)) {
      const found = await ledger.find(row);
      if (found?.state === 'settled') {
        return (await handOut(found, true)) ?? refuse(request, 'payment_already_used', price);
      }
      if (found === undefined || found.state === 'released' || found.state === 'unknown') break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return open();
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

  function track(key: PaymentKey, work: Promise<GateAnswer>): Promise<GateAnswer> {
    const name = nameOf(key);
    const mine = { key, work };
    underWay.set(name, mine);
    const forget = () => {
      if (underWay.get(name) === mine) underWay.delete(name);
    };
    work.then(forget, forget);
    return work;
  }

  async function priceFor(request: PricedRequest, payer: Address): Promise<bigint> {
    if (deps.escalation === null) return request.price;
    return escalate(request.price, await calls.get(payer), deps.escalation);
  }

  function refuse(request: PricedRequest, error: string, price = request.price) {
    const { resource, description } = request;
    const priced = { url: deps.publicUrl() + resource, description, price };
    return { kind: 'quote', quote: quote(priced, error) } as const;
  }

  function claimOf(request: PricedRequest, payment: DecodedPayment, fromBlock: number): Claim {
    const { authorization, signature, identifier } = payment;
    const claimedAt = now();
    return {
      ...keyOf(payment),
      value: authorization.value,
      payTo: authorization.to,
      validAfter: Number(authorization.validAfter),
      validBefore: Number(authorization.validBefore),
      signature,
      identifier,
      route: request.route,
      request: hashOf(request),
      owner: ledger.owner,
      leaseUntil: claimedAt + LEASE_SECONDS,
      fromBlock,
      claimedAt,
    };
  }

  function keyOf({ authorization }: DecodedPayment): PaymentKey {
    const { from, nonce } = authorization;
    return { chainId: terms.chainId, asset: terms.asset, payer: from, nonce };
  }

  function unavailable(error: unknown): GateAnswer {
    onError(error);
    return unsettled();
  }
}

interface UnderWay {
  readonly key: PaymentKey;
  readonly work: Promise<GateAnswer>;
}

function unsettled(): GateAnswer {
  const detail = 'payments cannot be taken at the moment; nothing was charged, try again soon';
  return { kind: 'problem', status: 503, detail, retryAfterSeconds: RETRY_SECONDS };
}

function open(): GateAnswer {
  const detail =
    'whether this payment was charged is being found out; send the very same request again soon';
  return { kind: 'problem', status: 503, detail, retryAfterSeconds: RETRY_SECONDS };
}

function isSame({ authorization }: DecodedPayment, row: PaymentRow): boolean {
  return (
    authorization.value === row.value &&
    authorization.to === row.payTo &&
    authorization.validAfter === BigInt(row.validAfter) &&
    authorization.validBefore === BigInt(row.validBefore)
  );
}

function hashOf({ method, resource }: PricedRequest): Hex {
  return `0x${createHash('sha256').update(`${method} ${resource}`).digest('hex')}`;
}
