import { isAssayError } from '../wire/errors.ts';
import type { ChainProof } from './chainProof.ts';
import type { Ledger } from './ledger.ts';
import { isPurchased, type Purchased, type Purchases, recordOf } from './purchase.ts';
import type { OpenPayment } from './store.ts';

/** What a look into an open payment found. */
export interface Reviewed {
  readonly paymentId: string;
  readonly url: string;
  /** paid: its answer is here. charged: it was, and the seller hands out no answer. freed: it never was. */
  readonly outcome: 'paid' | 'charged' | 'freed' | 'open';
  readonly answer?: unknown;
}

export interface Reviews {
  /** Looks into every payment that can be charged no more. */
  review(signal: AbortSignal | undefined): Promise<readonly Reviewed[]>;
  /** Frees what the chain proves to be unused, and asks no seller. */
  freeUnused(): Promise<void>;
}

export function createReviews(deps: {
  readonly ledger: Ledger;
  readonly proof: ChainProof;
  readonly purchases: () => Pick<Purchases, 'present'>;
  readonly isBelieved: (host: string) => boolean;
  /** Unix seconds. */
  readonly now: () => number;
}): Reviews {
  const { ledger, proof, now } = deps;
  return { review, freeUnused };

  async function review(signal: AbortSignal | undefined): Promise<readonly Reviewed[]> {
    const reviewed: Reviewed[] = [];
    for (const payment of await ledger.getOpen()) {
      const { id, url } = payment;
      reviewed.push({ paymentId: id, url, ...(await lookInto(payment, signal)) });
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
    signal: AbortSignal | undefined,
  ): Promise<Pick<Reviewed, 'outcome' | 'answer'>> {
    // Sending it while it is good could be what gets it charged.
    if (!isOver(payment)) return { outcome: 'open' };
    if (payment.header === undefined) return free(payment);
    const verdict = await proof.verdict(payment);
    if (verdict === 'unused') return free(payment);
    const sent = await resend(payment, signal);
    if (sent !== 'refused' && sent !== 'unknown') return { outcome: 'paid', answer: sent.answer };
    if (sent === 'unknown') return { outcome: 'open' };
    if (verdict === 'used') {
      await ledger.spent(recordOf(payment, 'charged', now(), null));
      return { outcome: 'charged' };
    }
    return deps.isBelieved(payment.host) ? free(payment) : { outcome: 'open' };
  }

  async function free(payment: OpenPayment): Promise<{ readonly outcome: 'freed' }> {
    await ledger.freed(payment);
    return { outcome: 'freed' };
  }

  async function resend(
    payment: OpenPayment,
    signal: AbortSignal | undefined,
  ): Promise<Purchased | 'refused' | 'unknown'> {
    try {
      const sent = await deps.purchases().present(payment, signal);
      return isPurchased(sent) ? sent : 'refused';
    } catch (error) {
      if (isAssayError(error, 'aborted')) throw error;
      return isAssayError(error, 'problem') || isAssayError(error, 'refused')
        ? 'refused'
        : 'unknown';
    }
  }

  function isOver({ validBefore }: OpenPayment): boolean {
    return validBefore < now();
  }
}
