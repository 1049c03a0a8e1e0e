import { isAssayError } from '../wire/errors.ts';
import type { SendOptions, Wire } from '../wire/send.ts';
import { type Call, callOf } from './call.ts';
import type { ChainProof } from './chainProof.ts';
import type { Ledger } from './ledger.ts';
import { CHARGED, isPurchased, type Presenting, type Purchased, recordOf } from './present.ts';
import type { OpenPayment } from './store.ts';

/** The result of reviewing an open payment. */
export interface Reviewed {
  readonly paymentId: string;
  readonly url: string;
  /** paid: with its response. charged: it was charged, but the seller returns no response. freed: it was not charged. */
  readonly outcome: 'paid' | 'charged' | 'freed' | 'open';
  readonly answer?: unknown;
}

interface ReviewOptions extends SendOptions, Pick<Call, 'accept'> {}

export interface Reviews {
  /** Reviews all payments that can no longer be charged. */
  review(options: ReviewOptions): Promise<readonly Reviewed[]>;
  /** Frees payments that the chain proves to be unused. Sends nothing to sellers. */
  freeUnused(): Promise<void>;
}

export function createReviews(deps: {
  readonly ledger: Ledger;
  readonly proof: ChainProof;
  readonly presenting: Pick<Presenting, 'present'>;
  readonly wire: Wire;
  readonly isTrustedHost: (host: string) => boolean;
  /** Unix seconds. */
  readonly now: () => number;
}): Reviews {
  const { ledger, proof, now } = deps;
  return { review, freeUnused };

  async function review(options: ReviewOptions): Promise<readonly Reviewed[]> {
    const reviewed: Reviewed[] = [];
    for (const payment of await ledger.getOpen()) {
      const { id, url } = payment;
      reviewed.push({ paymentId: id, url, ...(await lookInto(payment, options)) });
    }
    return reviewed;
  }

  async function freeUnused(): Promise<void> {
    for (const payment of await ledger.getOpen()) {
      if (isOver(payment) && (await proof.verdict(payment)) === 'unused') {
        await ledger.freed(payment);
      }
    }
  }

  async function lookInto(
    payment: OpenPayment,
    options: ReviewOptions,
  ): Promise<Pick<Reviewed, 'outcome' | 'answer'>> {
    // Sending it while it is valid could get it charged.
    if (!isOver(payment)) return { outcome: 'open' };
    if (payment.header === undefined) return free(payment);
    const verdict = await proof.verdict(payment);
    if (verdict === 'unused') return free(payment);
    const sent = await resend(payment, options);
    if (typeof sent === 'object') return { outcome: 'paid', answer: sent.answer };
    // Its response can still be fetched: buying the same URL sends it again.
    if (verdict === 'used' || sent === 'charged') {
      await ledger.spent(recordOf(payment, 'charged', now(), null));
      return { outcome: 'charged' };
    }
    if (sent === 'unknown') return { outcome: 'open' };
    return deps.isTrustedHost(payment.host) ? free(payment) : { outcome: 'open' };
  }

  async function free(payment: OpenPayment): Promise<{ readonly outcome: 'freed' }> {
    await ledger.freed(payment);
    return { outcome: 'freed' };
  }

  async function resend(
    payment: OpenPayment,
    options: ReviewOptions,
  ): Promise<Purchased | 'refused' | 'charged' | 'unknown'> {
    // The store has no request bodies, so only the caller can send the request again.
    if (payment.request !== undefined) return 'unknown';
    try {
      const call = { ...callOf(deps.wire, payment.url, options), accept: options.accept };
      const sent = await deps.presenting.present(payment, call);
      return isPurchased(sent) ? sent : 'refused';
    } catch (error) {
      if (isAssayError(error, 'aborted')) throw error;
      if (isAssayError(error, 'refused') && error.code === CHARGED) return 'charged';
      return isAssayError(error, 'problem') || isAssayError(error, 'refused')
        ? 'refused'
        : 'unknown';
    }
  }

  function isOver({ validBefore }: OpenPayment): boolean {
    return validBefore < now();
  }
}
