import type { PaymentRow } from '../../store/payments/paymentRow.ts';
import type { FinalizedHead } from '../chain/finalizedHead.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentCounts } from '../ledger/paymentCounts.ts';
import { nameOf } from '../ledger/paymentName.ts';
import { signedOf } from './reconcile.ts';

/**
 * A payment is released when it is expired and unused at the newest block. A branch that wins later may still include
 * it, so each is checked once more, after a block past its expiry is final.
 */
export interface Expired {
  /** Returns how many were paid after all; no response was sent for them. */
  run(): Promise<number>;
}

const TOGETHER = 50;
/** Delay before a failed check is repeated, so that it does not keep others from being checked. */
const AGAIN_SECONDS = 600;

export function createExpired(deps: {
  readonly ledger: Pick<Ledger, 'getReleased' | 'confirmExpired' | 'settled'>;
  readonly chain: Pick<PaymentChain, 'getOnChainStatus' | 'head' | 'timeOf'>;
  readonly finalizedHead: FinalizedHead;
  readonly counts: PaymentCounts;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): Expired {
  const { ledger, chain, now, onError } = deps;
  /** When each failed check is due again. */
  const failed = new Map<string, number>();
  return { run };

  async function run(): Promise<number> {
    for (const [name, due] of failed) if (due <= now()) failed.delete(name);
    const released = await ledger.getReleased(TOGETHER + failed.size);
    const waiting = released.filter((row) => !failed.has(nameOf(row)));
    if (waiting.length === 0) return 0;
    let paid = 0;
    try {
      const final = await finalTime();
      for (const row of waiting) if (row.validBefore < final && (await isPaid(row))) paid++;
    } catch (error) {
      // The chain does not respond at all: retried at the next run.
      onError(error);
    }
    return paid;
  }

  /** Returns the time of the newest final block; negative infinity while unknown. */
  async function finalTime(): Promise<number> {
    const { number } = await chain.head();
    const final = await deps.finalizedHead(number);
    return final < 0 ? Number.NEGATIVE_INFINITY : chain.timeOf(final);
  }

  async function isPaid(row: PaymentRow): Promise<boolean> {
    const found = await getOnChainStatus(row);
    // An RPC endpoint that has not reached the expiry yet proves nothing.
    if (found === undefined || (found.status === 'unused' && found.at.time < row.validBefore)) {
      return false;
    }
    if (found.status !== 'paid') {
      await ledger.confirmExpired(row, now());
      return false;
    }
    const first = await ledger.settled(row, found.transaction, now());
    if (first) deps.counts.settled(row.route, row.value);
    return first;
  }

  async function getOnChainStatus(row: PaymentRow) {
    try {
      return await chain.getOnChainStatus(signedOf(row).authorization, row.fromBlock);
    } catch (error) {
      onError(error);
      failed.set(nameOf(row), now() + AGAIN_SECONDS);
      return undefined;
    }
  }
}
