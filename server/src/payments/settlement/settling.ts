import type { Hex } from '../../domain/hex.ts';
import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import type { PaymentRow } from '../../store/payments/paymentRow.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { type Facilitator, FacilitatorUnavailable } from '../facilitator/facilitator.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Ending, type Reconcile, signedOf } from './reconcile.ts';

export interface Settling {
  /** Of a payment whose answer is kept. */
  settle(key: PaymentKey, payment: SignedAuthorization, past: Past): Promise<Ending>;
  /** Of a payment that was left half way: the chain is asked first, then it is settled after all. */
  resume(row: PaymentRow): Promise<Ending>;
  /** Whether the chain has it: of a payment that was released after it may have been sent. */
  look(key: PaymentKey, payment: SignedAuthorization, fromBlock: number): Promise<Ending>;
  /** Of a payment that the chain has no more: what settled it, or undefined. Nothing is written down. */
  sendAgain(payment: SignedAuthorization): Promise<Hex | undefined>;
}

/** What was done for a payment before. */
export interface Past {
  /** A block before which it was not used. */
  readonly fromBlock: number;
  /** Whether it may have been sent before: then no later attempt can tell that it will not be mined. */
  readonly sent: boolean;
}

/** Less is not enough to be mined in. */
const LEAST_SECONDS_LEFT = 3;
/** Of our own sender: no node ever saw the payment. After any other code it may be public, and anybody's to bring on chain. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  'facilitator_unavailable',
  'facilitator_out_of_gas',
  'network_fees_too_high',
]);

/** Whether a settlement failed for reasons of ours, and the payer did nothing wrong. */
export function isOurTrouble(code: string): boolean {
  return NEVER_SENT.has(code);
}

export function createSettling(deps: {
  readonly ledger: Pick<Ledger, 'doubtful' | 'unsent'>;
  readonly facilitator: Facilitator;
  readonly reconcile: Reconcile;
  /** Unix seconds. */
  readonly now: () => number;
}): Settling {
  const { ledger, facilitator, now } = deps;
  const { look, reconcile, paid } = deps.reconcile;
  return { settle, resume, look, sendAgain };

  async function settle(
    key: PaymentKey,
    payment: SignedAuthorization,
    { fromBlock, sent }: Past,
  ): Promise<Ending> {
    const settlement = await facilitator.settle(payment);
    if (settlement.outcome === 'settled') return paid(key, settlement.transaction);
    // Refused may mean that it was used already, and a service may settle and then fail: the chain has the last word.
    const ending = await look(key, payment, fromBlock);
    if (ending.kind !== 'open') return ending;
    // What an earlier attempt sent may be mined whatever becomes of this one.
    const code = settlement.outcome === 'refused' && !sent ? settlement.code : null;
    if (code !== null && facilitator.kind === 'embedded' && NEVER_SENT.has(code)) {
      return (await ledger.unsent(key)) ? { kind: 'unpaid', code } : ending;
    }
    await ledger.doubtful(key, now());
    // It may still be mined, by whoever saw it, so the payment stays open; its payer is told that it failed.
    return code === null ? ending : { kind: 'unpaid', code };
  }

  async function resume(row: PaymentRow): Promise<Ending> {
    const ending = await reconcile(row);
    if (ending.kind !== 'open') return ending;
    const payment = signedOf(row);
    // The chain takes an authorization once only, so trying again cannot charge twice.
    if (await wouldSettle(payment))
      return settle(row, payment, { fromBlock: row.fromBlock, sent: true });
    await ledger.doubtful(row, now());
    return ending;
  }

  async function sendAgain(payment: SignedAuthorization): Promise<Hex | undefined> {
    if (!(await wouldSettle(payment))) return undefined;
    const settlement = await facilitator.settle(payment);
    return settlement.outcome === 'settled' ? settlement.transaction : undefined;
  }

  /** Asked anew: a payer who emptied the account could else have us pay for one failure after another. */
  async function wouldSettle(payment: SignedAuthorization): Promise<boolean> {
    if (Number(payment.authorization.validBefore) < now() + LEAST_SECONDS_LEFT) return false;
    try {
      return (await facilitator.verify(payment)).ok;
    } catch (error) {
      if (error instanceof FacilitatorUnavailable) return false;
      throw error;
    }
  }
}
