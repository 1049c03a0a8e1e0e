import type { RpcCalls } from './chain/rpcCalls.ts';
import type { Log } from './cli/log.ts';
import type { Config } from './config/config.ts';
import { byName } from './domain/loopback.ts';
import { METHOD_VERSION } from './domain/risk/grade/method.ts';
import type { CreateBuckets } from './domain/tokenBuckets.ts';
import type { PaidRoute } from './http/paid/paidRoute.ts';
import { agentRoutes } from './http/risk/agentRoutes.ts';
import { openLiveGraph } from './http/risk/liveGraph.ts';
import type { ServerDeps } from './http/serverDeps.ts';
import { paymentMetrics } from './paymentMetrics.ts';
import { testPaymentSettings } from './paymentSettings.ts';
import type { Listing } from './payments/facilitator/remote.ts';
import { openPayments } from './payments/service.ts';
import type { Store } from './store/store.ts';

/** The risk query API with its gate: what is sold, and who takes the money. */
export interface PaidApi {
  readonly routes: readonly PaidRoute[];
  readonly paid: NonNullable<ServerDeps['paid']>;
  readonly metrics: ReturnType<typeof paymentMetrics>;
  close(): Promise<void>;
}

/** Undefined when the configuration has no payments. */
export async function openPaidApi(deps: {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  /** Unix seconds. */
  readonly now: () => number;
  /** Where the API listens. */
  readonly url: () => string;
  readonly createBuckets: CreateBuckets | undefined;
  readonly calls: RpcCalls;
}): Promise<PaidApi | undefined> {
  const { config, store, log, now } = deps;
  const { payments } = config;
  if (payments === undefined) return undefined;
  // What the documents tell: never a key.
  const { facilitator: _, blocked: __, ...offer } = payments;
  const chain = config.chains.find(({ chainId }) => chainId === payments.chainId)!;
  const tested = await testPaymentSettings({ payments, chain, log });
  const service = await openPayments({
    config: payments,
    chain,
    store,
    createBuckets: deps.createBuckets,
    publicUrl: (host) => config.http.publicUrl ?? byName(deps.url(), host),
    now,
    onError: logNowAndThen(log, 'a payment needs a second look'),
    onLowBalance: ({ address, wei }) =>
      log.warn({ address, wei: String(wei) }, 'a key that settles payments is low on gas money'),
    onGasLost: ({ payer, transaction, gas, wei, blamed }, { lostInHour, lostPerHour }) => {
      const shut = lostInHour >= lostPerHour;
      const fields = {
        payer,
        transaction,
        gas: String(gas),
        wei: String(wei),
        blamed,
        lostInHour: String(lostInHour),
        lostPerHour: String(lostPerHour),
      };
      log[shut ? 'error' : 'warn'](fields, 'gas was spent on a settlement that failed');
    },
    onListing: tellNews(log),
    onCalls: deps.calls.counter(chain.chainId, 'payments'),
  });
  try {
    const onError = (err: unknown) => log.error({ err }, 'the risk graph could not be loaded');
    const graph = await openLiveGraph({ store, now, onError });
    return {
      routes: agentRoutes({ graph, methodVersion: METHOD_VERSION }),
      paid: { gate: service.gate, offer },
      metrics: paymentMetrics(service, store),
      async close() {
        tested.stop();
        await graph.stop();
        await service.close();
      },
    };
  } catch (error) {
    tested.stop();
    await service.close();
    throw error;
  }
}

/** Each payment brings a verdict: only one that differs from the last of its kind is told. */
function tellNews(log: Log): (listing: Listing) => void {
  let last = '';
  return ({ url, status, reason }) => {
    const news = JSON.stringify([status, reason]);
    if (news === last) return;
    last = news;
    const level = status === 'rejected' ? 'warn' : 'info';
    log[level]({ url, status, reason }, 'the facilitator service spoke of listing this seller');
  };
}

/** Anybody can send what makes a node look away: one line in so many seconds for each kind of failure. */
const QUIET_MS = 10_000;

function logNowAndThen(log: Log, message: string): (error: unknown) => void {
  const told = new Map<string, { at: number; silent: number }>();
  return (err) => {
    const kind = err instanceof Error ? err.name : typeof err;
    const last = told.get(kind);
    if (last !== undefined && performance.now() - last.at < QUIET_MS) {
      last.silent++;
      return;
    }
    told.set(kind, { at: performance.now(), silent: 0 });
    log.error({ err, ...(last?.silent && { alsoTimes: last.silent }) }, message);
  };
}
