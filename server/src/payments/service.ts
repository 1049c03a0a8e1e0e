import { randomUUID } from 'node:crypto';
import type { ChainConfig, PaymentsConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import type { CreateBuckets } from '../domain/tokenBuckets.ts';
import { payers } from '../store/payments/payers.ts';
import { payments } from '../store/payments/payments.ts';
import type { Store } from '../store/store.ts';
import { createSignerOf, type SignerOf } from './authorization/curveSigner.ts';
import type { PaymentTerms } from './authorization/payment.ts';
import { createAuthorizedTransfers } from './chain/authorizedTransfers.ts';
import { createPaymentChain } from './chain/chainReads.ts';
import { createFinalizedHead } from './chain/finalizedHead.ts';
import { createNodes, type Nodes } from './chain/nodes.ts';
import type { PaymentChain } from './chain/paymentChain.ts';
import type { Balance } from './facilitator/balances.ts';
import { createConfirmed } from './facilitator/confirmed.ts';
import { createEmbeddedFacilitator } from './facilitator/embedded.ts';
import type { Facilitator } from './facilitator/facilitator.ts';
import type { GasFigures, GasLoss } from './facilitator/gasGuard.ts';
import { createRemoteFacilitator, type Listing } from './facilitator/remote.ts';
import { createRetryingFacilitator } from './facilitator/retryingFacilitator.ts';
import { createGate, type Gate } from './gate/gate.ts';
import { createNewPayers } from './gate/newPayers.ts';
import { createRequestLimits } from './gate/requestLimits.ts';
import { createIsSigned } from './gate/signed.ts';
import { createContinuity } from './ledger/continuity.ts';
import { createLedger } from './ledger/ledger.ts';
import { createPaymentCounts, type PaymentCounts } from './ledger/paymentCounts.ts';
import { createDropped } from './settlement/dropped.ts';
import { createExpired } from './settlement/expired.ts';
import { createFinality, type Finality } from './settlement/finality.ts';
import { createFinalityReads } from './settlement/finalityReads.ts';
import { createGasLosses, type GasLosses } from './settlement/gasLosses.ts';
import { PaymentsLost } from './settlement/paymentsLost.ts';
import { createReconcile } from './settlement/reconcile.ts';
import { createReconciler, type Reconciler } from './settlement/reconciler.ts';
import { createSelling, type Selling, type SellingChange } from './settlement/selling.ts';
import { createSettling } from './settlement/settling.ts';
import { createSweep, type Sweep } from './settlement/sweep.ts';
import { createUnrecorded } from './settlement/unrecorded.ts';

/** All parts of the payment service, assembled. */
export interface PaymentService {
  readonly gate: Gate;
  readonly reconciler: Reconciler;
  readonly finality: Finality;
  readonly selling: Selling;
  readonly sweep: Sweep;
  readonly counts: PaymentCounts;
  /** Gas balances of the operator's keys; empty with a service. */
  balances(): readonly Balance[];
  /** The gas of settlements; undefined with a service, which pays for it. */
  gas(): GasFigures | undefined;
  close(): Promise<void>;
}

export interface PaymentServiceDeps {
  readonly config: PaymentsConfig;
  /** The chain on which payments are made. */
  readonly chain: ChainConfig;
  readonly store: Store;
  /** Whether the store has room for more. Default: always. */
  readonly hasRoom?: (() => boolean) | undefined;
  /** The base URL of resources if the configuration has none. */
  readonly publicUrl: (host?: string) => string;
  /** Creates the limits of payers. Default: limits that count the requests of this process. */
  readonly createBuckets?: CreateBuckets | undefined;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly onLowBalance: (balance: Balance) => void;
  /** Called when paid routes close because too many payments were lost, and when they open again. */
  readonly onSelling?: (change: SellingChange) => void;
  /** Called when gas was paid for a failed settlement. */
  readonly onGasLost?: (loss: GasLoss, figures: GasFigures) => void;
  /** Called with the number of payments added to the refund list: charged, but without a ledger record. */
  readonly onFound?: (count: number) => void;
  /** Called with the listing status that a facilitator service returned. */
  readonly onListing?: (listing: Listing) => void;
  /** Called for every request to the chain's RPC endpoints, with its number of calls. */
  readonly onCalls?: (calls: number) => void;
}

/** Reconciles at once, so that payments that an earlier process left unfinished are resolved before new sales. */
export async function openPayments(deps: PaymentServiceDeps): Promise<PaymentService> {
  const { config, store, now } = deps;
  const terms = termsOf(config);
  const selling = createSelling({
    store,
    terms,
    limit: config.lossLimit,
    now,
    onChange: (change) => deps.onSelling?.(change),
    onError: deps.onError,
  });
  const onError = (error: unknown) => {
    deps.onError(error);
    if (error instanceof PaymentsLost) void selling.refresh().catch(deps.onError);
  };
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
  const hasSettled = async (payer: Address) => (await payers.findCalls(store, payer)) > 0;
  const opened = openFacilitator(deps, {
    nodes,
    chain,
    terms,
    signerOf,
    losses,
    hasSettled,
    selling,
  });
  const { facilitator, balances, gas } = opened;
  await losses.start(opened.learn);
  const owner = randomUUID();
  const ledger = createLedger({
    store,
    owner,
    terms,
    keepAnswersSeconds: config.keepAnswersSeconds,
  });
  // The embedded database serves one process, so earlier claims belong to processes that are gone.
  if (store.engine === 'pglite') await payments.endLeases(store, owner);
  const counts = createPaymentCounts();
  const onFound = deps.onFound ?? (() => {});
  const unrecorded = createUnrecorded({ ledger, chain, terms, now, onFound });
  // Each counts its own failed reads.
  const finalizedHead = () => createFinalizedHead({ nodes, finality: deps.chain.finality });
  const reconcile = createReconcile({
    ledger,
    chain,
    finalizedHead: finalizedHead(),
    unrecorded,
    now,
    onError,
  });
  const continuity = createContinuity({ store, terms, now });
  // From startup on, so that a later failover is recognized.
  await continuity.mayLack({ validBefore: 0n });
  const settling = createSettling({ ledger, continuity, facilitator, reconcile, now });
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
  const newPayers = createNewPayers(config.newPayers, deps.createBuckets);
  const sweep = createSweep({
    store,
    terms,
    transfers: createAuthorizedTransfers({ nodes, terms }),
    chain,
    finalizedHead: finalizedHead(),
    now,
    onFound,
    onError,
  });
  const gate = createGate({
    terms,
    publicUrl: (host) => config.publicUrl ?? deps.publicUrl(host),
    escalation: config.escalation,
    blocked: new Set(config.blocked),
    limits: createRequestLimits(config.rateLimit, deps.createBuckets),
    newPayers,
    ledger,
    continuity,
    facilitator,
    settling,
    selling,
    hasRoom: deps.hasRoom ?? (() => true),
    unrecorded,
    counts,
    chain,
    isSigned: createIsSigned(signerOf, chain, newPayers),
    now,
    onError,
  });
  await selling.start();
  reconciler.start();
  finality.start();
  sweep.start();
  return { gate, reconciler, finality, sweep, selling, counts, balances, gas, close };

  async function close(): Promise<void> {
    await gate.close();
    await reconciler.stop();
    await sweep.stop();
    // A resend in progress ends with the facilitator.
    const watched = finality.stop();
    await facilitator.close();
    await watched;
    await losses.stop();
    await selling.stop();
    nodes.close();
  }
}

interface FacilitatorDeps {
  readonly nodes: Nodes;
  readonly chain: Pick<PaymentChain, 'isUnused' | 'isPaidBy' | 'getOnChainStatus'>;
  readonly terms: PaymentTerms;
  readonly signerOf: SignerOf;
  readonly losses: Pick<GasLosses, 'add'>;
  readonly hasSettled: (payer: Address) => Promise<boolean>;
  readonly selling: Pick<Selling, 'isStopped'>;
}

function openFacilitator(
  { config, chain, now, onError, onLowBalance, onGasLost, onListing }: PaymentServiceDeps,
  by: FacilitatorDeps,
): Pick<PaymentService, 'balances' | 'gas'> & {
  readonly facilitator: Facilitator;
  readonly learn: (losses: readonly GasLoss[]) => void;
} {
  const { nodes, terms, signerOf } = by;
  if (config.facilitator.kind === 'remote') {
    const { url, headers, headersCommand, timeoutSeconds, confirm } = config.facilitator;
    const timeoutMs = timeoutSeconds * 1000;
    const remote = createRemoteFacilitator({
      url,
      headers,
      headersCommand,
      terms,
      verifyTimeoutMs: timeoutMs,
      onError,
      onListing,
    });
    const { isUnused, isPaidBy } = by.chain;
    const facilitator = createConfirmed({
      facilitator: createRetryingFacilitator({ facilitator: remote, isUnused, timeoutMs }),
      isPaidBy,
      // A service whose reported settlements were lost is no longer trusted.
      isTrusted: () => confirm === 'service' && !by.selling.isStopped(),
      timeoutMs,
      onError,
    });
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
    maxWaiting: config.rateLimit.perSecond > 0 ? config.rateLimit.burst : undefined,
    getOnChainStatus: by.chain.getOnChainStatus,
    hasSettled: by.hasSettled,
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
