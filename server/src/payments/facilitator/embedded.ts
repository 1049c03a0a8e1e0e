import type { Address, Hex } from '../../domain/hex.ts';
import { unixTime } from '../../runtime/unixTime.ts';
import { createSignerOf, type SignerOf } from '../authorization/curveSigner.ts';
import type { PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import { type Nodes, NodesUnavailable } from '../chain/nodes.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import { type Balance, createBalances } from './balances.ts';
import {
  type Facilitator,
  FacilitatorUnavailable,
  type Settlement,
  type Verification,
} from './facilitator.ts';
import { createFeeSource, FeesAboveCap } from './fees.ts';
import { createGasGuard, type GasFigures, type GasLimits, type GasLoss } from './gasGuard.ts';
import type { GasWorth } from './gasPrice.ts';
import { createInFlight, type Place } from './inFlight.ts';
import { createKeyPool } from './keyPool.ts';
import { createReceiptPoll } from './receiptPoll.ts';
import { createSender } from './sender.ts';
import { createSettlementCost } from './settlementCost.ts';
import { createSettlementEnding } from './settlementEnding.ts';
import { createPlanner, type Plan } from './settlementPlan.ts';
import { SenderOutOfGas } from './simulation.ts';
import type { Transaction } from './transaction.ts';
import { createTransferCall } from './transferCall.ts';

export interface EmbeddedFacilitator extends Facilitator {
  readonly kind: 'embedded';
  readonly addresses: readonly Address[];
  /** The keys' gas money as last read: each minute and after settlements. */
  balances(): readonly Balance[];
  refreshBalances(): Promise<void>;
  gas(): GasFigures;
  /** Failures that other processes have seen, or earlier ones. */
  learn(losses: readonly GasLoss[]): void;
}

export interface EmbeddedOptions {
  readonly nodes: Nodes;
  readonly terms: PaymentTerms;
  /** They pay the gas. Nothing else should send with them. */
  readonly privateKeys: readonly Hex[];
  readonly multicall: Address;
  /** Makers of smart wallets that may be deployed for a payment (EIP-6492); none unless told. */
  readonly factories?: readonly Address[];
  /** Shared with whoever proves signatures before, so that each is recovered once. */
  readonly signerOf?: SignerOf;
  /** Wei per gas. */
  readonly maxFeePerGas: bigint;
  /** For payments by plain keys. */
  readonly gasLimit?: bigint;
  /** Absent: nobody has to wait, whatever it costs. */
  readonly gas?: GasLimits & GasWorth;
  /** Tells who failed to pay from who was paid for by another before us. */
  readonly fateOf?: PaymentChain['fateOf'];
  readonly onGasLost?: (loss: GasLoss) => void;
  readonly bumpAfterMs?: number;
  readonly reorgCheckMs?: number;
  readonly patienceMs?: number;
  /** Wei. */
  readonly lowBalance?: bigint;
  readonly onLowBalance?: (balance: Balance) => void;
  /** Unix seconds. */
  readonly now?: () => number;
}

/**
 * A transfer by authorization took 69 000 gas on the test token, 86 000 for the payee's first one. The rest is for tokens
 * behind a proxy; what is not used is not paid.
 */
const GAS_LIMIT = 160_000n;

interface Planned extends Plan {
  /** Null: nobody asked before. */
  readonly place: Place | null;
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
        patienceMs: options.patienceMs ?? 30_000,
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
  const inFlight = createInFlight(now);
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
  const { fateOf, onGasLost = () => {} } = options;
  const cost = createSettlementCost({ guard, nodes, terms, fateOf, now, onGasLost });
  const ending = createSettlementEnding({ nodes, terms, caller: pool.senders[0]!.address });
  void balances.refresh();

  return {
    kind: 'embedded',
    addresses: pool.senders.map(({ address }) => address),
    verify,
    forget,
    settle,
    balances: balances.current,
    refreshBalances: balances.refresh,
    gas: guard.read,
    learn: (losses) => losses.forEach(guard.learn),
    close,
  };

  async function verify(payment: SignedAuthorization): Promise<Verification> {
    const { validBefore } = payment.authorization;
    if (validBefore <= BigInt(now())) return { ok: false, code: 'authorization_expired' };
    const place = inFlight.enter(payment.authorization);
    try {
      const plan = await planner.plan(payment, place);
      if (!plan.ok) {
        place.leave();
        return plan;
      }
      forget(payment);
      planned.set(payment, { ...plan, place });
      return { ok: true };
    } catch (error) {
      place.leave();
      const code = troubleOf(error);
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

  function leave({ place, aside }: Planned): void {
    place?.leave();
    aside?.release();
  }

  async function settle(payment: SignedAuthorization): Promise<Settlement> {
    try {
      const call = transferCall(payment);
      if (!planned.has(payment) && !call.plain) {
        const verified = await verify(payment);
        if (!verified.ok) return failure(verified.code);
      }
      const plan = planned.get(payment) ?? {
        ok: true,
        call,
        gas: gasLimit,
        aside: null,
        place: null,
      };
      planned.delete(payment);
      return await settleBy(payment, plan);
    } catch (error) {
      const code =
        error instanceof FacilitatorUnavailable ? 'facilitator_unavailable' : troubleOf(error);
      return code === undefined ? { outcome: 'unknown' } : { outcome: 'refused', code };
    }
  }

  async function settleBy(payment: SignedAuthorization, plan: Planned): Promise<Settlement> {
    const { call, gas, aside } = plan;
    let rehearsed: Awaited<ReturnType<typeof planner.rehearse>> | undefined;
    try {
      // It may have changed its mind since it was asked.
      rehearsed = aside === null ? undefined : await planner.rehearse(plan);
    } catch (error) {
      leave(plan);
      throw error;
    }
    if (typeof rehearsed === 'string') {
      leave(plan);
      return failure(rehearsed);
    }
    const transaction: Transaction = {
      to: call.to,
      data: call.data,
      gas,
      deadline: Number(payment.authorization.validBefore),
      ...(rehearsed && { fees: rehearsed.fees }),
      mined(receipt) {
        plan.place?.mined();
        aside?.release();
        // It keeps its place until it is known who is to blame: so a payer has no more failures than places.
        void cost
          .mined({ payment, gas, hasCode: aside !== null }, receipt)
          .then(() => plan.place?.leave());
      },
    };
    // From here on a payment may be in flight: doubt is `unknown`.
    const sent = await (rehearsed?.sender ?? pool).send(transaction);
    balances.touch();
    if (sent.outcome === 'refused') leave(plan);
    return sent.outcome === 'mined' ? ending(payment, transaction, sent.receipt) : sent;
  }

  async function close(): Promise<void> {
    pool.close();
    receipts.close();
    balances.close();
    cost.close();
  }
}

/** Before anything is sent. One that was used already may have paid us. */
function failure(code: string): Settlement {
  return code === 'authorization_already_used'
    ? { outcome: 'unknown' }
    : { outcome: 'refused', code };
}

/** Ours, and not the payer's. */
function troubleOf(error: unknown) {
  if (error instanceof NodesUnavailable) return 'facilitator_unavailable';
  if (error instanceof FeesAboveCap) return 'network_fees_too_high';
  return error instanceof SenderOutOfGas ? 'facilitator_out_of_gas' : undefined;
}
