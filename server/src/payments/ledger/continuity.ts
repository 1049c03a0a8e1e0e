import type { Store } from '../../store/store.ts';
import { isReadable } from '../../store/storeUnavailable.ts';
import { timelines } from '../../store/timelines/timelines.ts';
import type { Authorization, PaymentTerms } from '../authorization/payment.ts';
import { CLOCK_SLACK } from '../authorization/validatePayment.ts';

/** Whether the ledger is the only one and has every accepted payment: its database can fail over. */
export interface Continuity {
  /** Two database hosts accept writes: a payment may be in the other ledger. */
  isSplit(): boolean;
  /** Whether the database is unavailable, or responds but rejects writes; undefined while payments can be claimed. */
  outage(): 'away' | 'unwritable' | undefined;
  /** Changes with a failover: earlier claims may be missing from the ledger. */
  timeline(): number;
  /** For how many seconds after a failover no payment signed now would be accepted; 0 if it would. */
  pausedSeconds(): number;
  /** Whether a payment that the ledger does not have as sent may have been accepted before the last failover. */
  mayLack(authorization: Pick<Authorization, 'validBefore'>): Promise<boolean>;
}

/** Seconds after a failover for which other processes may still have claimed on the old primary. */
const MOVE_SECONDS = 5;
/** Seconds for which clients may retry such a payment; by then the sweep has found it. */
const RETRIED_SECONDS = 3_600;

export function createContinuity(deps: {
  readonly store: Store;
  readonly terms: Pick<PaymentTerms, 'maxTimeoutSeconds'>;
  /** Unix seconds. */
  readonly now: () => number;
}): Continuity {
  const { store, terms, now } = deps;
  const { cluster } = store;
  let noted: { readonly timeline: number; readonly usedAt: number | null } | undefined;
  const timeline = () => cluster?.timeline() ?? 0;
  // Immediately, even without payments: the time counts from the failover.
  cluster?.onChange(() => void readUsedAt().catch(() => undefined));
  return {
    isSplit: () => cluster?.isSplit() ?? false,
    outage() {
      const current = store.health.outage();
      return current && (isReadable(current.outage) ? 'unwritable' : 'away');
    },
    ...{ timeline, pausedSeconds, mayLack },
  };

  async function mayLack({ validBefore }: Pick<Authorization, 'validBefore'>): Promise<boolean> {
    const usedAt = cluster === undefined ? null : await readUsedAt();
    if (usedAt === null || now() > lastEnd(usedAt) + RETRIED_SECONDS) return false;
    return validBefore <= BigInt(lastEnd(usedAt));
  }

  function pausedSeconds(): number {
    const usedAt = noted?.usedAt ?? null;
    if (usedAt === null) return 0;
    return Math.max(0, lastEnd(usedAt) + 1 - terms.maxTimeoutSeconds - now());
  }

  /** An authorization that expires later was rejected before the failover, as valid for too long. */
  function lastEnd(usedAt: number): number {
    return usedAt + MOVE_SECONDS + terms.maxTimeoutSeconds + Number(CLOCK_SLACK);
  }

  /** Returns when the first process used this timeline; null if no failover led to it. */
  async function readUsedAt(): Promise<number | null> {
    const current = timeline();
    if (noted?.timeline !== current) {
      noted = { timeline: current, usedAt: await timelines.note(store, current, now()) };
    }
    return noted.usedAt;
  }
}
