import { failure, isAssayError, type SentPayment, withPayment } from '../wire/errors.ts';
import { orAborted, pause } from '../wire/retry.ts';
import type { Chosen, Judge } from './allow.ts';
import { ask } from './ask.ts';
import type { Call } from './call.ts';
import type { Ledger } from './ledger.ts';
import { accepted, codeOf, isPurchased, type Presenting, type Purchased } from './present.ts';
import type { Signing } from './signing.ts';
import type { OpenPayment, PaymentRecord } from './store.ts';

/**
 * Buys responses. Until a payment has a response or is replaced, its request is paid with the same nonce, for which the
 * chain accepts one signature at most.
 */
export interface Purchases {
  buy(call: Call): Promise<Purchased>;
  /** Returns the price of a response without paying; null if it is free. */
  quote(call: Call): Promise<Chosen | null>;
  /** Returns the response of an earlier payment again for free. */
  again(record: PaymentRecord, call: Call): Promise<unknown>;
}

/** How long to wait for another process that has reserved but not yet signed a payment for the same request. */
const SIGNING_MS = 5_000;
const POLL_MS = 100;

export function createPurchases(deps: {
  /** Address of the payer. */
  readonly payer: string;
  readonly judge: Judge;
  readonly ledger: Ledger;
  readonly signing: Signing;
  readonly presenting: Presenting;
}): Purchases {
  const { payer, judge, ledger, signing } = deps;
  const { present, leave, refuse } = deps.presenting;
  /** Equal concurrent calls are one purchase. */
  const running = new Map<string, Promise<Purchased>>();
  return { buy, quote, again };

  async function buy(call: Call): Promise<Purchased> {
    judge.target(call.url);
    const { url, method, request, replaces, maxAmount } = call;
    const key = JSON.stringify([url.href, method, request, replaces, `${maxAmount}`]);
    for (;;) {
      const other = running.get(key);
      if (other === undefined) break;
      const shared = await shareWith(other, call.signal);
      if (shared) return accepted(shared, call);
    }
    const own = purchase(call);
    running.set(key, own);
    try {
      return await own;
    } finally {
      running.delete(key);
    }
  }

  /** Returns the result of an equal call; undefined if its caller aborted it or its `accept` failed. */
  async function shareWith(
    other: Promise<Purchased>,
    signal: AbortSignal | undefined,
  ): Promise<Purchased | undefined> {
    try {
      return await orAborted(other, signal);
    } catch (error) {
      const isItsOwn = isAssayError(error, 'aborted') || !isAssayError(error);
      if (isItsOwn && !signal?.aborted) return undefined;
      throw error;
    }
  }

  async function purchase(call: Call): Promise<Purchased> {
    for (;;) {
      const earlier = await findEarlier(call);
      if (earlier) return sell(within(earlier, call), call);
      const { answer, invoice } = await ask(call);
      if (!invoice) return accepted({ answer, record: null }, call);
      const payment = await signing.open(call, invoice);
      if (payment) return sell(payment, call);
    }
  }

  async function quote(call: Call): Promise<Chosen | null> {
    judge.target(call.url);
    const { invoice } = await ask(call);
    return invoice ? judge.invoice(invoice, call.url) : null;
  }

  async function again(record: PaymentRecord, call: Call): Promise<unknown> {
    judge.target(call.url);
    if (record.url !== call.url.href || record.request !== call.request) {
      throw failure('config', `Payment ${record.id} is for another request.`, {});
    }
    const { at: reservedAt, outcome: _, receipt: __, ...terms } = record;
    const past = { ...terms, reservedAt, state: 'charged', validBefore: 0, signatures: 0 } as const;
    const sent = await present(past, call);
    if (isPurchased(sent)) return sent.answer;
    throw await refuse(past, codeOf(sent));
  }

  /** Returns the unresolved payment for this request, once it is signed. */
  async function findEarlier(call: Call): Promise<OpenPayment | undefined> {
    const { url, request, replaces, signal } = call;
    const end = Date.now() + SIGNING_MS;
    for (;;) {
      const found = await ledger.findEarlier({ url: url.href, request, payer }, replaces);
      if (found?.state !== 'reserved') return found;
      // Without its reservation, the other process sends nothing even if it signs later.
      if (Date.now() > end) await ledger.freed(found);
      else await pause(POLL_MS, signal);
    }
  }

  /** Sends a payment. If the seller asks for other terms, signs the same nonce again, once. */
  async function sell(payment: OpenPayment, call: Call): Promise<Purchased> {
    let sent = payment;
    try {
      const first = await present(sent, call);
      if (isPurchased(first)) return first;
      const signed = await signing
        .again(payment, call, first.response.headers)
        .catch((error) => leave(payment, error));
      if (!signed) throw await refuse(payment, codeOf(first));
      sent = signed;
      const second = await present(sent, call);
      if (isPurchased(second)) return second;
      throw await refuse(sent, codeOf(second));
    } catch (error) {
      throw withPayment(error, sentOf(sent));
    }
  }
}

/** Returns an earlier payment, unless it could cost more than this call may pay. */
function within(payment: OpenPayment, { maxAmount: limit }: Call): OpenPayment {
  const asked = BigInt(payment.amount);
  if (limit === undefined || asked <= limit || payment.state === 'charged') return payment;
  const text = `Payment ${payment.id} for this request is open for ${asked}, but this call may pay at most ${limit}.`;
  const details = { cap: 'call', limit, used: 0n, asked } as const;
  throw withPayment(failure('over_cap', text, details), sentOf(payment));
}

function sentOf({ id, amount, validBefore }: OpenPayment): SentPayment {
  return { id, amount: BigInt(amount), chargeableUntil: validBefore };
}
