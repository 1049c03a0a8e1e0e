import { type AssayError, failure, isAssayError } from '../wire/errors.ts';
import { problemOf } from '../wire/problem.ts';
import { retrying } from '../wire/retry.ts';
import type { Wire } from '../wire/send.ts';
import type { Chosen, Judge } from './allow.ts';
import { askSeller, type SellerAnswer } from './answer.ts';
import { ask, parsed } from './ask.ts';
import { readInvoice } from './invoice.ts';
import type { Ledger } from './ledger.ts';
import { readReceipt } from './receipt.ts';
import { createNames, type Signing } from './signing.ts';
import type { OpenPayment, PaymentRecord } from './store.ts';

export interface PurchaseDeps {
  readonly wire: Wire;
  /** Address of who pays. */
  readonly payer: string;
  readonly judge: Judge;
  readonly ledger: Ledger;
  readonly signing: Signing;
  /** Whether a host's own word is taken that nothing was charged. */
  readonly isBelieved: (host: string) => boolean;
  /** Unix seconds. */
  readonly now: () => number;
}

export interface Purchased {
  readonly answer: unknown;
  /** Null when nothing was asked for it. */
  readonly record: PaymentRecord | null;
}

/** Buys one answer after another. Calls at the same time are each paid; what a dead process left is taken up. */
export interface Purchases {
  buy(url: URL, signal: AbortSignal | undefined): Promise<Purchased>;
  /** The price of an answer, without paying; null when it is free. */
  quote(url: URL, signal: AbortSignal | undefined): Promise<Chosen | null>;
  /** The answer of a payment that was made before, once more and for nothing. */
  again(record: PaymentRecord, signal: AbortSignal | undefined): Promise<unknown>;
  /** Sends a payment once more, and signs nothing; the 402 where the seller asks to be paid anew. */
  present(payment: OpenPayment, signal: AbortSignal | undefined): Promise<Purchased | SellerAnswer>;
}

export function isPurchased(result: Purchased | SellerAnswer): result is Purchased {
  return 'record' in result;
}

export function createPurchases(deps: PurchaseDeps): Purchases {
  const { wire, judge, ledger, signing, now } = deps;
  const underWay = new Set<string>();
  return { buy, quote, again, present };

  async function buy(url: URL, signal: AbortSignal | undefined): Promise<Purchased> {
    judge.target(url);
    const left = await findLeft(url);
    if (left) return during(left.id, () => sell(left, url, signal));
    const { answer, invoice } = await ask(wire, url.href, signal);
    if (!invoice) return { answer, record: null };
    const names = createNames();
    return during(names.id, async () => sell(await signing.open(names, url, invoice), url, signal));
  }

  async function quote(url: URL, signal: AbortSignal | undefined): Promise<Chosen | null> {
    judge.target(url);
    const { invoice } = await ask(wire, url.href, signal);
    return invoice ? judge.invoice(invoice, url) : null;
  }

  async function again(record: PaymentRecord, signal: AbortSignal | undefined): Promise<unknown> {
    judge.target(new URL(record.url));
    const { at: reservedAt, ...terms } = record;
    const past = { ...terms, reservedAt, state: 'signed', validBefore: 0, signatures: 0 } as const;
    const sent = await present(past, signal);
    if (isPurchased(sent)) return sent.answer;
    throw await refuse(past, codeOf(sent));
  }

  /** A payment for the same that nobody here is busy with: its answer may wait for us. */
  async function findLeft({ href }: URL): Promise<OpenPayment | undefined> {
    const open = await ledger.getOpen();
    return open.find(
      ({ state, url, payer, id }) =>
        state === 'signed' && url === href && payer === deps.payer && !underWay.has(id),
    );
  }

  async function during<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    underWay.add(id);
    try {
      return await work();
    } finally {
      underWay.delete(id);
    }
  }

  /** Presents a payment, and signs it once more at most, where the seller asks for other terms. */
  async function sell(
    payment: OpenPayment,
    url: URL,
    signal: AbortSignal | undefined,
  ): Promise<Purchased> {
    const first = await present(payment, signal);
    if (isPurchased(first)) return first;
    const again = await signing
      .again(payment, url, first.response.headers)
      .catch((error) => leave(payment, error));
    if (!again) throw await refuse(payment, codeOf(first));
    const second = await present(again, signal);
    if (isPurchased(second)) return second;
    throw await refuse(again, codeOf(second));
  }

  /** Sends the same bytes until something is said of them. */
  async function present(
    payment: OpenPayment,
    signal: AbortSignal | undefined,
  ): Promise<Purchased | SellerAnswer> {
    try {
      return await retrying(wire, signal, () => attempt(payment, signal), isPassing);
    } catch (error) {
      if (!isPassing(error)) throw error;
      const words = `what became of payment ${payment.id} is not known yet; ask again, and the same payment is sent`;
      throw failure('unresolved', words, { paymentId: payment.id }, error);
    }
  }

  async function attempt(
    payment: OpenPayment,
    signal: AbortSignal | undefined,
  ): Promise<Purchased | SellerAnswer> {
    const sent = await askSeller(wire, payment.url, { payment: payment.header, signal });
    const { status, headers, ok } = sent.response;
    if (ok) return deliver(payment, parsed(sent.text), headers.get('payment-response'));
    const problem = problemOf(sent.response, sent.text);
    if (status === 402 && codeOf(sent) !== 'payment_in_progress') return sent;
    if (status === 409) throw await refuse(payment, 'conflict', problem);
    return isPassing(problem) ? Promise.reject(problem) : leave(payment, problem);
  }

  /** The authorization stays good for the same request, unless the host's word is taken that it was not used. */
  async function leave(payment: OpenPayment, error: unknown): Promise<never> {
    if (deps.isBelieved(payment.host)) await ledger.freed(payment);
    throw error;
  }

  async function deliver(
    payment: OpenPayment,
    answer: unknown,
    receipt: string | null,
  ): Promise<Purchased> {
    if (answer === undefined) {
      const words = `the seller took payment ${payment.id} and sent no answer; ask again, and the same payment is sent`;
      throw failure('undelivered', words, { paymentId: payment.id });
    }
    const record = recordOf(payment, 'paid', now(), readReceipt(receipt, payment));
    await ledger.spent(record);
    return { answer, record };
  }

  async function refuse(
    payment: OpenPayment,
    code: string,
    cause?: unknown,
  ): Promise<AssayError<'refused'>> {
    if (deps.isBelieved(payment.host)) await ledger.freed(payment);
    else await ledger.doubted(payment.id);
    const words = `the seller does not take payment ${payment.id}: ${code}`;
    return failure('refused', words, { paymentId: payment.id, code }, cause);
  }
}

export function recordOf(
  payment: OpenPayment,
  outcome: PaymentRecord['outcome'],
  at: number,
  receipt: PaymentRecord['receipt'],
): PaymentRecord {
  const { id, url, host, network, asset, payTo, payer, amount, nonce, header = '' } = payment;
  return {
    id,
    url,
    host,
    network,
    asset,
    payTo,
    payer,
    amount,
    nonce,
    header,
    outcome,
    at,
    receipt,
  };
}

/** Whether the same bytes may fare better later. */
function isPassing(error: unknown): boolean {
  if (isAssayError(error, 'timeout') || isAssayError(error, 'network')) return true;
  return (
    isAssayError(error, 'problem') && (error.status >= 500 || [402, 429].includes(error.status))
  );
}

function codeOf({ response }: SellerAnswer): string {
  try {
    return readInvoice(response.headers.get('payment-required')).error;
  } catch {
    return 'no_invoice';
  }
}
