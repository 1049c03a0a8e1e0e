import { randomUUID } from 'node:crypto';
import type { ChainConfig, PaymentsConfig } from '../config/config.ts';
import type { CreateBuckets } from '../domain/tokenBuckets.ts';
import { payments } from '../store/payments/payments.ts';
import type { Store } from '../store/store.ts';
import { createSignerOf, type SignerOf } from './authorization/curveSigner.ts';
import type { PaymentTerms } from './authorization/payment.ts';
import { createPaymentChain } from './chain/chainReads.ts';
import { createFinalizedHead } from './chain/finalizedHead.ts';
import { createNodes, type Nodes } from './chain/nodes.ts';
import type { PaymentChain } from './chain/paymentChain.ts';
import type { Balance } from './facilitator/balances.ts';
import { createEmbeddedFacilitator } from './facilitator/embedded.ts';
import type { Facilitator } from './facilitator/facilitator.ts';
import type { GasFigures, GasLoss } from './facilitator/gasGuard.ts';
import { createPatient } from './facilitator/patient.ts';
import { createRemoteFacilitator, type Listing } from './facilitator/remote.ts';
import { createGate, type Gate } from './gate/gate.ts';
import { createRequestLimits } from './gate/requestLimits.ts';
import { createIsSigned } from './gate/signed.ts';
import { createLedger } from './ledger/ledger.ts';
import { createPaymentCounts, type PaymentCounts } from './ledger/paymentCounts.ts';
import { createDropped } from './settlement/dropped.ts';
import { createExpired } from './settlement/expired.ts';
import { createFinality, type Finality } from './settlement/finality.ts';
import { createFinalityReads } from './settlement/finalityReads.ts';
import { createGasLosses, type GasLosses } from './settlement/gasLosses.ts';
import { createReconcile } from './settlement/reconcile.ts';
import { createReconciler, type Reconciler } from './settlement/reconciler.ts';
import { createSettling } from './settlement/settling.ts';

/** Everything that takes money, put together. */
export interface PaymentService {
  readonly gate: Gate;
  readonly reconciler: Reconciler;
  readonly finality: Finality;
  readonly counts: PaymentCounts;
  /** Gas money of our own keys; empty with a service. */
  balances(): readonly Balance[];
  /** What settlements took; undefined with a service, whose gas is its own. */
  gas(): GasFigures | undefined;
  close(): Promise<void>;
}

export interface PaymentServiceDeps {
  readonly config: PaymentsConfig;
  /** The chain on which is paid. */
  readonly chain: ChainConfig;
  readonly store: Store;
  /** Under which resources are named when the configuration does not say. */
  readonly publicUrl: (host?: string) => string;
  /** Makes the limits of payers; absent: they count what this process is sent. */
  readonly createBuckets?: CreateBuckets | undefined;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly onLowBalance: (balance: Balance) => void;
  /** Gas of ours paid for nothing. */
  readonly onGasLost?: (loss: GasLoss, figures: GasFigures) => void;
  /** What a facilitator service says of listing us. */
  readonly onListing?: (listing: Listing) => void;
  /** Told of every request to the chain's nodes, with how many calls it has. */
  readonly onCalls?: (calls: number) => void;
}

/** Reconciles at once: what an earlier process left half way is found out before anything new is sold. */
export async function openPayments(deps: PaymentServiceDeps): Promise<PaymentService> {
  const { config, store, now, onError } = deps;
  const terms = termsOf(config);
  const nodes = createNodes({
    chainId: config.chainId,
    rpcUrls: deps.chain.rpcUrls,
    timeoutMs: deps.chain.timeoutSeconds * 1000,
    onCalls: deps.onCalls,
  });
  const signerOf = createSignerOf(terms);
  const { factories } = config.facilitator;
  const chain = createPaymentChain({ nodes, terms, factories });
  const losses = createGasLosses({ store, chainId: config.chainId, now, onError });
  const opened = openFacilitator(deps, { nodes, chain, terms, signerOf, losses });
  const { facilitator, balances, gas } = opened;
  await losses.start(opened.learn);
  const owner = randomUUID();
  const ledger = createLedger({
    store,
    owner,
    terms,
    keepAnswersSeconds: config.keepAnswersSeconds,
  });
  // The embedded database serves one process: whoever had claims there before is gone.
  if (store.engine === 'pglite') await payments.endLeases(store, owner);
  const counts = createPaymentCounts();
  const reconcile = createReconcile({ ledger, chain, now, onError });
  const settling = createSettling({ ledger, facilitator, reconcile, now });
  // Each counts the failures of its own questions.
  const finalizedHead = () => createFinalizedHead({ nodes, finality: deps.chain.finality });
  const expired = createExpired({
    ledger,
    chain,
    finalizedHead: finalizedHead(),
    counts,
    now,
    onError,
  });
  const reconciler = createReconciler({ ledger, reconcile, expired, counts, now, onError });
  const finality = createFinality({
    store,
    terms,
    reads: createFinalityReads({ nodes }),
    finalizedHead: finalizedHead(),
    chain,
    dropped: createDropped({ store, owner, settling, now }),
    now,
    onError,
  });
  const gate = createGate({
    terms,
    publicUrl: (host) => config.publicUrl ?? deps.publicUrl(host),
    escalation: config.escalation,
    blocked: new Set(config.blocked),
    limits: createRequestLimits(config.rateLimit, deps.createBuckets),
    ledger,
    facilitator,
    settling,
    counts,
    chain,
    isSigned: createIsSigned(signerOf, chain),
    now,
    onError,
  });
  reconciler.start();
  finality.start();
  return { gate, reconciler, finality, counts, balances, gas, close };

  async function close(): Promise<void> {
    await gate.close();
    await reconciler.stop();
    // What is being sent again is released with the facilitator.
    const watched = finality.stop();
    await facilitator.close();
    await watched;
    await losses.stop();
    nodes.close();
  }
}

interface FacilitatorDeps {
  readonly nodes: Nodes;
  readonly chain: Pick<PaymentChain, 'isUnused' | 'fateOf'>;
  readonly terms: PaymentTerms;
  readonly signerOf: SignerOf;
  readonly losses: Pick<GasLosses, 'add'>;
}

function openFacilitator(
  { config, chain, now, onLowBalance, onGasLost, onListing }: PaymentServiceDeps,
  by: FacilitatorDeps,
): Pick<PaymentService, 'balances' | 'gas'> & {
  readonly facilitator: Facilitator;
  readonly learn: (losses: readonly GasLoss[]) => void;
} {
  const { nodes, terms, signerOf } = by;
  if (config.facilitator.kind === 'remote') {
    const { url, headers, headersCommand, timeoutSeconds } = config.facilitator;
    const patienceMs = timeoutSeconds * 1000;
    const remote = createRemoteFacilitator({
      url,
      headers,
      headersCommand,
      terms,
      verifyTimeoutMs: patienceMs,
      onListing,
    });
    const { isUnused } = by.chain;
    const facilitator = createPatient({ facilitator: remote, isUnused, patienceMs });
    return { facilitator, balances: () => [], gas: () => undefined, learn: () => {} };
  }
  const { keys, maxFeePerGas, factories, lowBalance } = config.facilitator;
  const facilitator = createEmbeddedFacilitator({
    nodes,
    terms,
    privateKeys: keys,
    multicall: chain.multicall,
    factories,
    maxFeePerGas,
    signerOf,
    lowBalance,
    onLowBalance,
    gas: config.gas,
    fateOf: by.chain.fateOf,
    onGasLost(loss) {
      by.losses.add(loss);
      onGasLost?.(loss, facilitator.gas());
    },
    now,
  });
  return {
    facilitator,
    balances: facilitator.balances,
    gas: facilitator.gas,
    learn: facilitator.learn,
  };
}

export function termsOf(config: PaymentsConfig): PaymentTerms {
  const { chainId, asset, assetName, assetVersion, payTo, maxTimeoutSeconds } = config;
  return { chainId, asset, assetName, assetVersion, payTo, maxTimeoutSeconds };
}
