import type { Continuity } from '../ledger/continuity.ts';
import type { Selling } from '../settlement/selling.ts';
import type { GateAnswer } from './gateTypes.ts';
import { noRoom, paused, stopped } from './refusals.ts';

/** The reasons to sell nothing now. */
export interface SaleStops {
  /** Whether a payment signed now would be accepted; if not, no invoice is returned. */
  isSelling(): boolean;
  /** The response to a payment that the ledger does not have. */
  ofPayment(): GateAnswer | undefined;
  /** The response to every request while two database hosts accept writes. */
  ofSplit(): GateAnswer | undefined;
  /** The response in place of an invoice, when a payment would not be accepted. */
  ofInvoice(): GateAnswer | undefined;
}

/** An operator has to act. */
const SPLIT_RETRY_SECONDS = 10;
/** While the database is unavailable or rejects writes. */
const OUTAGE_RETRY_SECONDS = 5;

export function createSaleStops({
  selling,
  continuity,
  hasRoom,
}: {
  readonly selling: Pick<Selling, 'isStopped'>;
  readonly continuity: Pick<Continuity, 'isSplit' | 'outage' | 'pausedSeconds'>;
  /** Whether the store has room for new claims. */
  readonly hasRoom: () => boolean;
}): SaleStops {
  return {
    isSelling: () => !continuity.isSplit() && ofInvoice() === undefined,
    ofSplit: () => (continuity.isSplit() ? paused(SPLIT_RETRY_SECONDS) : undefined),
    ofPayment,
    ofInvoice,
  };

  function ofPayment(): GateAnswer | undefined {
    if (selling.isStopped()) return stopped();
    // Payments in the ledger are still recorded to their end: only new claims need room.
    if (!hasRoom()) return noRoom();
    // A claim may still fit where the record of its settlement does not. An unavailable ledger fails by itself.
    return continuity.outage() === 'unwritable' ? paused(OUTAGE_RETRY_SECONDS) : undefined;
  }

  function ofInvoice(): GateAnswer | undefined {
    const notNow = ofPayment();
    if (notNow !== undefined) return notNow;
    if (continuity.outage() !== undefined) return paused(OUTAGE_RETRY_SECONDS);
    const seconds = continuity.pausedSeconds();
    return seconds > 0 ? paused(seconds) : undefined;
  }
}
