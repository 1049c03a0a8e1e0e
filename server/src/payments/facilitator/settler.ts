import type { SignedAuthorization } from '../authorization/payment.ts';
import {
  atOnce,
  type Facilitator,
  FacilitatorUnavailable,
  type Settlement,
} from './facilitator.ts';
import { getFacilitatorErrorCode } from './facilitatorErrors.ts';
import type { KeyPool } from './keyPool.ts';
import type { SettlementCost } from './settlementCost.ts';
import type { GetSettlementOutcome } from './settlementOutcome.ts';
import type { Planner } from './settlementPlan.ts';
import type { Transaction } from './transaction.ts';
import type { TransferCall } from './transferCall.ts';
import { leave, type Planned, type VerifiedPayments } from './verifiedPayments.ts';

/** Sends payments as they were planned. */
export type Settler = Pick<Facilitator, 'settle'>;

export function createSettler(deps: {
  readonly verified: VerifiedPayments;
  readonly planner: Pick<Planner, 'resimulate'>;
  readonly pool: KeyPool;
  readonly cost: Pick<SettlementCost, 'mined'>;
  readonly getOutcome: GetSettlementOutcome;
  readonly transferCall: (payment: SignedAuthorization) => TransferCall;
  /** For payments by plain keys. */
  readonly gasLimit: bigint;
  /** Called when a key may have paid gas. */
  readonly onSent: () => void;
}): Settler {
  const { verified, planner, pool, cost, getOutcome, transferCall, gasLimit, onSent } = deps;
  return { settle };

  async function settle(payment: SignedAuthorization): Promise<Settlement> {
    try {
      const call = transferCall(payment);
      if (!verified.has(payment) && !call.plain) {
        const checked = await verified.check(payment, atOnce);
        if (!checked.ok) return failure(checked.code);
      }
      const plan = verified.take(payment) ?? {
        ok: true,
        call,
        gas: gasLimit,
        reservation: null,
        position: null,
      };
      return await settleBy(payment, plan);
    } catch (error) {
      const code =
        error instanceof FacilitatorUnavailable
          ? 'facilitator_unavailable'
          : getFacilitatorErrorCode(error);
      return code === undefined ? { outcome: 'unknown' } : { outcome: 'refused', code };
    }
  }

  async function settleBy(payment: SignedAuthorization, plan: Planned): Promise<Settlement> {
    const { call, gas, reservation } = plan;
    let sendPlan: Awaited<ReturnType<typeof planner.resimulate>> | undefined;
    try {
      // The payer's code may behave differently than when it was verified.
      sendPlan = reservation === null ? undefined : await planner.resimulate(plan);
    } catch (error) {
      leave(plan);
      throw error;
    }
    if (typeof sendPlan === 'string') {
      leave(plan);
      return failure(sendPlan);
    }
    const transaction: Transaction = {
      to: call.to,
      data: call.data,
      gas,
      deadline: Number(payment.authorization.validBefore),
      ...(sendPlan && { fees: sendPlan.fees }),
      mined(receipt) {
        plan.position?.mined();
        reservation?.release();
        // It keeps its position until the cause is known, so that a payer has no more failures than positions.
        void cost
          .mined({ payment, gas, hasCode: reservation !== null }, receipt)
          .then(() => plan.position?.leave());
      },
    };
    // From here on a payment may be in flight, so any doubt is `unknown`.
    const sent = await (sendPlan?.sender ?? pool).send(transaction);
    onSent();
    if (sent.outcome === 'refused') leave(plan);
    return sent.outcome === 'mined' ? getOutcome(payment, transaction, sent.receipt) : sent;
  }
}

/** A failure before anything was sent. An authorization that is already used may have paid this server. */
function failure(code: string): Settlement {
  return code === 'authorization_already_used'
    ? { outcome: 'unknown' }
    : { outcome: 'refused', code };
}
