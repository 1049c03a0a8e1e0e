import type { Hex } from '../../domain/hex.ts';
import { traced } from '../../runtime/traced.ts';
import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import type { PaymentRow } from '../../store/payments/paymentRow.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import {
  type Facilitator,
  FacilitatorUnavailable,
  type Settlement,
} from '../facilitator/facilitator.ts';
import type { Continuity } from '../ledger/continuity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Reconcile, type SettlementResult, type Since, signedOf } from './reconcile.ts';

export interface Settling {
  /** Settles a payment whose response is stored. */
  settle(
    key: PaymentKey,
    payment: SignedAuthorization,
    prior: PriorAttempt,
  ): Promise<SettlementResult>;
  /** Finishes a payment that was left unfinished: checks the chain first, then settles it if it is unused. */
  resume(row: PaymentRow): Promise<SettlementResult>;
  /** Checks whether the chain has a payment that was released after it may have been sent. */
  check(key: PaymentKey, payment: SignedAuthorization, since: Since): Promise<SettlementResult>;
  /** Sends a payment again that the chain no longer has; returns its settlement, or undefined. Records nothing. */
  resend(payment: SignedAuthorization): Promise<Hex | undefined>;
}

/** The earlier handling of a payment. */
export interface PriorAttempt extends Since {
  /** Whether it may have been sent before: then no later attempt can show that it will not be mined. */
  readonly sent: boolean;
}

/** Less time than this is not enough to be mined. */
const MIN_SECONDS_LEFT = 3;
/**
 * Codes of the embedded sender: no RPC endpoint received the payment. After any other code it may be public, and any
 * account can settle it.
 */
const NEVER_SENT: ReadonlySet<string> = new Set([
  'facilitator_unavailable',
  'facilitator_out_of_gas',
  'network_fees_too_high',
]);

/** Whether a settlement failed through no error of the payer. */
export function isFacilitatorError(code: string): boolean {
  return NEVER_SENT.has(code);
}

export function createSettling(deps: {
  readonly ledger: Pick<Ledger, 'doubtful' | 'unsent'>;
  readonly continuity: Pick<Continuity, 'isSplit'>;
  readonly facilitator: Facilitator;
  readonly reconcile: Reconcile;
  /** Unix seconds. */
  readonly now: () => number;
}): Settling {
  const { ledger, continuity, facilitator, now } = deps;
  const { check, reconcile, paid } = deps.reconcile;
  return { settle, resume, check, resend };

  async function settle(
    key: PaymentKey,
    payment: SignedAuthorization,
    prior: PriorAttempt,
  ): Promise<SettlementResult> {
    const settlement = await settleOnChain(payment);
    if (settlement.outcome === 'settled') return paid(key, settlement.transaction);
    // A rejection may mean that it is already used, and a service may settle and then fail: the chain decides.
    const result = await check(key, payment, prior);
    if (result.kind !== 'open') return result;
    // What an earlier attempt sent may be mined, regardless of this one.
    const code = settlement.outcome === 'refused' && !prior.sent ? settlement.code : null;
    if (code !== null && facilitator.kind === 'embedded' && NEVER_SENT.has(code)) {
      return (await ledger.unsent(key)) ? { kind: 'unpaid', code } : result;
    }
    await ledger.doubtful(key, now());
    // Any account that saw it may still settle it, so the payment stays open; its payer gets the failure.
    return code === null || isFacilitatorError(code) ? result : { kind: 'unpaid', code };
  }

  /** Settles it on chain. */
  function settleOnChain(payment: SignedAuthorization): Promise<Settlement> {
    const attributes = { 'assay.facilitator': facilitator.kind };
    return traced(
      () => ({ name: 'settle payment', kind: 'internal', attributes }),
      async (work) => {
        const settlement = await facilitator.settle(payment);
        if (work !== undefined) work.attributes['assay.settlement'] = settlement.outcome;
        return settlement;
      },
    );
  }

  async function resume(row: PaymentRow): Promise<SettlementResult> {
    const result = await reconcile(row);
    if (result.kind !== 'open') return result;
    const payment = signedOf(row);
    // The chain accepts an authorization once, so another attempt cannot charge twice.
    if (await wouldSettle(payment)) return settle(row, payment, { ...row, sent: true });
    await ledger.doubtful(row, now());
    return result;
  }

  async function resend(payment: SignedAuthorization): Promise<Hex | undefined> {
    if (!(await wouldSettle(payment))) return undefined;
    const settlement = await settleOnChain(payment);
    return settlement.outcome === 'settled' ? settlement.transaction : undefined;
  }

  /**
   * Whether another settlement would succeed; false while two database hosts accept writes. Verified again, since a
   * payer that emptied its account could otherwise make every retry cost gas.
   */
  async function wouldSettle(payment: SignedAuthorization): Promise<boolean> {
    if (continuity.isSplit()) return false;
    if (Number(payment.authorization.validBefore) < now() + MIN_SECONDS_LEFT) return false;
    try {
      return (await facilitator.verify(payment)).ok;
    } catch (error) {
      if (error instanceof FacilitatorUnavailable) return false;
      throw error;
    }
  }
}
