import type { Address, Hex } from '../../domain/hex.ts';
import { unixTime } from '../../runtime/unixTime.ts';
import { createSignerOf, type SignerOf } from '../authorization/curveSigner.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import type { Nodes } from '../chain/nodes.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import { type Balance, createBalances } from './balances.ts';
import type { Facilitator } from './facilitator.ts';
import { createFeeSource } from './fees.ts';
import { createGasGuard, type GasFigures, type GasLimits, type GasLoss } from './gasGuard.ts';
import type { GasWorth } from './gasPrice.ts';
import { createInFlight } from './inFlight.ts';
import { createKeyPool } from './keyPool.ts';
import { createReceiptPoll } from './receiptPoll.ts';
import { createSender } from './sender.ts';
import { createSettlementCost } from './settlementCost.ts';
import { createSettlementOutcome } from './settlementOutcome.ts';
import { createPlanner } from './settlementPlan.ts';
import { createSettler } from './settler.ts';
import { createTransferCall } from './transferCall.ts';
import { createVerifiedPayments } from './verifiedPayments.ts';

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
  const verified = createVerifiedPayments({
    planner,
    inFlight: createInFlight(now, options.maxWaiting),
    guard,
    hasSettled: options.hasSettled,
    now,
  });
  const { settle } = createSettler({
    verified,
    planner,
    pool,
    cost,
    getOutcome: createSettlementOutcome({ nodes, terms, caller: pool.senders[0]!.address }),
    transferCall,
    gasLimit,
    onSent: balances.touch,
  });
  void balances.refresh();

  return {
    kind: 'embedded',
    addresses: pool.senders.map(({ address }) => address),
    verify: verified.verify,
    getThrottle: verified.getThrottle,
    forget: verified.forget,
    settle,
    balances: balances.current,
    refreshBalances: balances.refresh,
    gas: guard.read,
    learn: (losses) => losses.forEach(guard.learn),
    close,
  };

  async function close(): Promise<void> {
    pool.close();
    receipts.close();
    balances.close();
    cost.close();
  }
}
