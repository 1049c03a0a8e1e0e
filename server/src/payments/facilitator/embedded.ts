import type { Address, Hex } from '../../domain/hex.ts';
import { unixTime } from '../../runtime/unixTime.ts';
import { createSignerOf, type SignerOf } from '../authorization/curveSigner.ts';
import type { PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import { type Nodes, NodesUnavailable } from '../chain/nodes.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import { type Balance, createBalances } from './balances.ts';
import {
  atOnce,
  type Facilitator,
  FacilitatorUnavailable,
  type Settlement,
  type Turn,
  type Verification,
} from './facilitator.ts';
import { createFeeSource, FeesAboveCap } from './fees.ts';
import { createGasGuard, type GasFigures, type GasLimits, type GasLoss } from './gasGuard.ts';
import type { GasWorth } from './gasPrice.ts';
import { createInFlight, type Position } from './inFlight.ts';
import { createKeyPool } from './keyPool.ts';
import { createReceiptPoll } from './receiptPoll.ts';
import { createSender } from './sender.ts';
import { createSettlementCost } from './settlementCost.ts';
import { createSettlementOutcome } from './settlementOutcome.ts';
import { CROWDED, createPlanner, type Plan } from './settlementPlan.ts';
import { SenderOutOfGas } from './simulation.ts';
import type { Transaction } from './transaction.ts';
import { createTransferCall } from './transferCall.ts';

export interface EmbeddedFacilitator extends Facilitator {
  readonly kind: 'embedded';
  readonly addresses: readonly Address[];
  /** The gas balances of the keys, read each minute and after settlements. */
  balances(): readonly Balance[];
  refreshBalances(): Promise<void>;
  gas(): GasFigures;
  /** Adds failures that other processes recorded, or this one before a restart. */
  learn(losses: readonly GasLoss[]): void;
}

export interface EmbeddedOptions {
  readonly nodes: Nodes;
  readonly terms: PaymentTerms;
  /** These keys pay the gas. Nothing else should send transactions with them. */
  readonly privateKeys: readonly Hex[];
  readonly multicall: Address;
  /** Factories of smart wallets that may be deployed for a payment (EIP-6492). Default: none. */
  readonly factories?: readonly Address[];
  /** Shared with signature verification, so that each signer is recovered once. */
  readonly signerOf?: SignerOf;
  /** Wei per gas. */
  readonly maxFeePerGas: bigint;
  /** For payments by plain keys. */
  readonly gasLimit?: bigint;
  /** Absent: payers are never throttled, regardless of their cost. */
  readonly gas?: GasLimits & GasWorth;
  /** Separates payers whose payment failed from those whose authorization another sender used first. */
  readonly getOnChainStatus?: PaymentChain['getOnChainStatus'];
  /** Whether a payer ever settled a payment, according to the ledger. Absent: none has. */
  readonly hasSettled?: (payer: Address) => Promise<boolean>;
  readonly onGasLost?: (loss: GasLoss) => void;
  readonly bumpAfterMs?: number;
  readonly reorgCheckMs?: number;
  readonly timeoutMs?: number;
  /** Wei. */
  readonly lowBalance?: bigint;
  readonly onLowBalance?: (balance: Balance) => void;
  /** How many payments of one payer may wait for its other payments; more are rejected at once. */
  readonly maxWaiting?: number | undefined;
  /** Unix seconds. */
  readonly now?: () => number;
}

/**
 * A transfer by authorization took 69,000 gas with the test token, 86,000 for the payee's first one. The margin is for
 * tokens behind a proxy; unused gas is not paid for.
 */
const GAS_LIMIT = 160_000n;

interface Planned extends Plan {
  /** Null: not verified before. */
  readonly position: Position | null;
}

export function createEmbeddedFacilitator(options: EmbeddedOptions): EmbeddedFacilitator {
  const { nodes, terms, maxFeePerGas, gasLimit = GAS_LIMIT } = options;
  const now = options.now ?? unixTime;
  const transferCall = createTransferCall({
    terms,
    factories: options.factories ?? [],
    multicall: options.multicall,
    signerOf: options.signerOf ?? createSignerOf(terms),
  });
  const receipts = createReceiptPoll({ nodes });
  const fees = createFeeSource({ nodes, cap: maxFeePerGas });
  const pool = createKeyPool(
    options.privateKeys.map((privateKey) =>
      createSender({
        privateKey,
        chainId: terms.chainId,
        nodes,
        receipts,
        fees,
        feeCap: maxFeePerGas,
        bumpAfterMs: options.bumpAfterMs ?? 4_000,
        reorgCheckMs: options.reorgCheckMs ?? 4_000,
        timeoutMs: options.timeoutMs ?? 30_000,
      }),
    ),
  );
  const balances = createBalances({
    nodes,
    senders: pool.senders,
    low: options.lowBalance ?? 0n,
    onLow: options.onLowBalance ?? (() => {}),
  });
  const guard = createGasGuard(options.gas, now);
  const inFlight = createInFlight(now, options.maxWaiting);
  const planned = new WeakMap<SignedAuthorization, Planned>();
  const planner = createPlanner({
    nodes,
    asset: terms.asset,
    transferCall,
    pool,
    fees,
    guard,
    worth: options.gas,
    gasLimit,
    now,
  });
  const { getOnChainStatus, onGasLost = () => {} } = options;
  const cost = createSettlementCost({ guard, nodes, terms, getOnChainStatus, now, onGasLost });
  const getOutcome = createSettlementOutcome({ nodes, terms, caller: pool.senders[0]!.address });
  void balances.refresh();

  return {
    kind: 'embedded',
    addresses: pool.senders.map(({ address }) => address),
    verify,
    getThrottle,
    forget,
    settle,
    balances: balances.current,
    refreshBalances: balances.refresh,
    gas: guard.read,
    learn: (losses) => losses.forEach(guard.learn),
    close,
  };

  function getThrottle(payer: Address) {
    return inFlight.isFull(payer) ? CROWDED : undefined;
  }

  async function verify(payment: SignedAuthorization, turn: Turn = atOnce): Promise<Verification> {
    const { from } = payment.authorization;
    const full = getThrottle(from);
    if (full !== undefined) return full;
    if (guard.needsHistory(from) && (await options.hasSettled?.(from))) guard.recall(from);
    // Checked again: more payments of this payer may have arrived meanwhile.
    return getThrottle(from) ?? check(payment, turn);
  }

  async function check(payment: SignedAuthorization, turn: Turn): Promise<Verification> {
    const { validBefore } = payment.authorization;
    if (validBefore <= BigInt(now())) return { ok: false, code: 'authorization_expired' };
    const position = inFlight.enter(payment.authorization);
    try {
      const plan = await planner.plan(payment, position, turn);
      if (!plan.ok) {
        position.leave();
        return plan;
      }
      forget(payment);
      planned.set(payment, { ...plan, position });
      return { ok: true };
    } catch (error) {
      position.leave();
      const code = getFacilitatorErrorCode(error);
      if (code === undefined) throw error;
      if (code === 'facilitator_unavailable') throw new FacilitatorUnavailable();
      return { ok: false, code };
    }
  }

  function forget(payment: SignedAuthorization): void {
    const plan = planned.get(payment);
    planned.delete(payment);
    if (plan !== undefined) leave(plan);
  }

  function leave({ position, reservation }: Planned): void {
    position?.leave();
    reservation?.release();
  }

  async function settle(payment: SignedAuthorization): Promise<Settlement> {
    try {
      const call = transferCall(payment);
      if (!planned.has(payment) && !call.plain) {
        const verified = await check(payment, atOnce);
        if (!verified.ok) return failure(verified.code);
      }
      const plan = planned.get(payment) ?? {
        ok: true,
        call,
        gas: gasLimit,
        reservation: null,
        position: null,
      };
      planned.delete(payment);
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
    balances.touch();
    if (sent.outcome === 'refused') leave(plan);
    return sent.outcome === 'mined' ? getOutcome(payment, transaction, sent.receipt) : sent;
  }

  async function close(): Promise<void> {
    pool.close();
    receipts.close();
    balances.close();
    cost.close();
  }
}

/** A failure before anything was sent. An authorization that is already used may have paid this server. */
function failure(code: string): Settlement {
  return code === 'authorization_already_used'
    ? { outcome: 'unknown' }
    : { outcome: 'refused', code };
}

/** Returns the code of a failure that is not the payer's; undefined for unexpected errors. */
function getFacilitatorErrorCode(error: unknown) {
  if (error instanceof NodesUnavailable) return 'facilitator_unavailable';
  if (error instanceof FeesAboveCap) return 'network_fees_too_high';
  return error instanceof SenderOutOfGas ? 'facilitator_out_of_gas' : undefined;
}
