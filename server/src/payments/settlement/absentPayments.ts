import type { Observation, WatchedPayment } from '../../store/payments/watchedPayments.ts';
import type { BlockTime, PaymentChain } from '../chain/paymentChain.ts';
import type { FinalityReads, SeenBlock } from './finalityReads.ts';
import { DEAD_AFTER_SECONDS, signedOf } from './reconcile.ts';

/** Watched payments that their own transaction does not pay, or no longer pays. */
export interface AbsentPayments {
  /** Determines their status as of this head. Those whose status cannot be read are left out. */
  explain(payments: readonly WatchedPayment[], head: SeenBlock): Promise<Explained>;
}

export interface Explained {
  /** Paid by another transaction, or lost before and payable again. */
  readonly elsewhere: readonly Observation[];
  /** Not paid, and no longer payable. */
  readonly gone: readonly WatchedPayment[];
  readonly unused: readonly WatchedPayment[];
}

export function createAbsentPayments(deps: {
  readonly reads: Pick<FinalityReads, 'areUsed'>;
  readonly chain: Pick<PaymentChain, 'getOnChainStatus'>;
  readonly onError: (error: unknown) => void;
}): AbsentPayments {
  const { reads, chain, onError } = deps;
  return { explain };

  async function explain(payments: readonly WatchedPayment[], head: SeenBlock): Promise<Explained> {
    const elsewhere: Observation[] = [];
    const gone: WatchedPayment[] = [];
    const unused: WatchedPayment[] = [];
    const used = payments.length === 0 ? [] : await reads.areUsed(payments, head.number);
    for (const [i, payment] of payments.entries()) {
      const unseen = { payment, transaction: payment.transaction, block: null, finalAt: null };
      const status = used[i]
        ? await getOnChainStatus(payment)
        : { status: 'unused' as const, at: head };
      if (status === undefined) continue;
      // Another transaction paid it: the money has moved. Its block is read at the next check.
      if (status.status === 'paid') elsewhere.push({ ...unseen, transaction: status.transaction });
      else if (status.status === 'void' || isDead(payment, status.at)) gone.push(payment);
      // A reorg removed its cancellation, so it can be paid again.
      else if (payment.state === 'lost') elsewhere.push(unseen);
      else unused.push(payment);
    }
    return { elsewhere, gone, unused };
  }

  /** Unused in this block, after its expiry: on this branch it stays unused. */
  function isDead({ validBefore }: WatchedPayment, { time }: BlockTime): boolean {
    return time >= validBefore + DEAD_AFTER_SECONDS;
  }

  async function getOnChainStatus(payment: WatchedPayment) {
    try {
      return await chain.getOnChainStatus(signedOf(payment).authorization, payment.fromBlock);
    } catch (error) {
      onError(error);
      return undefined;
    }
  }
}
