import { type AssayError, failure, isAssayError, withPayment } from '../wire/errors.ts';
import { problemOf } from '../wire/problem.ts';
import { retrying } from '../wire/retry.ts';
import { askSeller, type SellerAnswer } from './answer.ts';
import { type Call, textOf } from './call.ts';
import type { ChainProof } from './chainProof.ts';
import { readInvoice } from './invoice.ts';
import type { Ledger } from './ledger.ts';
import { readReceipt } from './receipt.ts';
import type { OpenPayment, PaymentRecord } from './store.ts';

export interface PresentingDeps {
  readonly ledger: Ledger;
  readonly proof: ChainProof;
  /** Whether the host is trusted to report that a payment was not charged. */
  readonly isTrustedHost: (host: string) => boolean;
  /** Unix seconds. */
  readonly now: () => number;
}

export interface Purchased {
  readonly answer: unknown;
  /** Null if the response was free. */
  readonly record: PaymentRecord | null;
}

/** Sends payments and records their outcomes. */
export interface Presenting {
  /** Sends a payment without signing anything. Returns the 402 if the seller asks for another payment. */
  present(payment: OpenPayment, call: Call): Promise<Purchased | SellerAnswer>;
  /** Leaves the payment open for its request, unless its host is trusted to report that it was not used. */
  leave(payment: OpenPayment, error: unknown): Promise<never>;
  /** Records that the seller rejected a payment, and returns the error. */
  refuse(payment: OpenPayment, code: string, cause?: unknown): Promise<AssayError<'refused'>>;
}

export function isPurchased(result: Purchased | SellerAnswer): result is Purchased {
  return 'record' in result;
}

export function createPresenting(deps: PresentingDeps): Presenting {
  const { ledger, now } = deps;
  return { present, leave, refuse };

  /** Sends the same bytes until the seller accepts or rejects them. */
  async function present(payment: OpenPayment, call: Call): Promise<Purchased | SellerAnswer> {
    // The seller may have processed a request whose response is lost, so only reads are retried automatically.
    const isWorthIt = call.request === undefined ? isPassing : isUntouched;
    try {
      return await retrying(call.wire, call.signal, () => attempt(payment, call), isWorthIt);
    } catch (error) {
      if (!isPassing(error)) throw error;
      await recordCharge(payment);
      const text = `The outcome of payment ${payment.id} is unknown. Call again: the same payment is sent.`;
      throw failure('unresolved', text, { paymentId: payment.id }, error);
    }
  }

  async function attempt(payment: OpenPayment, call: Call): Promise<Purchased | SellerAnswer> {
    const sent = await askSeller(call, payment.header ?? '');
    const { response } = sent;
    const { status } = response;
    if (response.ok) return deliver(payment, call, sent);
    const problem = problemOf(response, textOf(sent));
    if (status === 402 && codeOf(sent) !== 'payment_in_progress') return sent;
    if (status === 409) {
      const isCharged = problem.problem.code === CHARGED;
      throw await refuse(payment, isCharged ? CHARGED : 'conflict', problem);
    }
    return isPassing(problem) ? Promise.reject(problem) : leave(payment, problem);
  }

  async function leave(payment: OpenPayment, error: unknown): Promise<never> {
    if (deps.isTrustedHost(payment.host)) {
      await ledger.freed(payment);
      throw withPayment(error, undefined);
    }
    await recordCharge(payment);
    throw error;
  }

  async function deliver(payment: OpenPayment, call: Call, sent: SellerAnswer) {
    const answer = call.read(sent);
    if (answer === undefined) {
      await recordCharge(payment);
      const text = `The seller accepted payment ${payment.id}, but its response is invalid. Call again: the same payment is sent.`;
      throw failure('undelivered', text, { paymentId: payment.id });
    }
    const receipt = readReceipt(sent.response.headers.get('payment-response'), payment);
    const record = recordOf(payment, 'paid', now(), receipt);
    const purchased = await accepted({ answer, record }, call);
    if (payment.state === 'charged') await ledger.answered(payment.id);
    else await ledger.spent(record);
    return purchased;
  }

  async function refuse(
    payment: OpenPayment,
    code: string,
    cause?: unknown,
  ): Promise<AssayError<'refused'>> {
    const text = `The seller rejected payment ${payment.id}: ${code}. Call again: the same payment is sent. To pay twice, pass its id as \`replaces\`.`;
    const error = failure('refused', text, { paymentId: payment.id, code }, cause);
    if (deps.isTrustedHost(payment.host) && code !== CHARGED) {
      await ledger.freed(payment);
      return withPayment(error, undefined);
    }
    if (!(await recordCharge(payment))) await ledger.doubted(payment.id);
    return error;
  }

  /** Records a payment without a response as charged if the chain proves it. */
  async function recordCharge(payment: OpenPayment): Promise<boolean> {
    if (payment.state === 'charged') return false;
    if ((await deps.proof.verdict(payment)) !== 'used') return false;
    return ledger.spent(recordOf(payment, 'charged', now(), null));
  }
}

export async function accepted(purchased: Purchased, { accept }: Call): Promise<Purchased> {
  await accept?.(purchased);
  return purchased;
}

/** The seller was paid but did not store the response: it owes a refund. */
export const CHARGED = 'payment_unrecorded';

export function recordOf(
  payment: OpenPayment,
  outcome: PaymentRecord['outcome'],
  at: number,
  receipt: PaymentRecord['receipt'],
): PaymentRecord {
  const { state: _, reservedAt: __, validBefore, signatures, replaced, ...terms } = payment;
  return { header: '', ...terms, outcome, at, receipt };
}

/** Returns whether a retry of the same payment can succeed. */
function isPassing(error: unknown): boolean {
  if (isAssayError(error, 'timeout') || isAssayError(error, 'network')) return true;
  return isUntouched(error) || (isAssayError(error, 'problem') && error.status >= 500);
}

/** Returns whether the seller reports that it has not processed the request, or is still processing it. */
function isUntouched(error: unknown): boolean {
  return isAssayError(error, 'problem') && [402, 429, 503].includes(error.status);
}

export function codeOf({ response }: SellerAnswer): string {
  try {
    return readInvoice(response.headers.get('payment-required')).error;
  } catch {
    return 'no_invoice';
  }
}
