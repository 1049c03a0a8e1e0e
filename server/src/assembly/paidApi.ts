import type { RpcCalls } from '../chain/rpcCalls.ts';
import type { Log } from '../cli/log.ts';
import type { Config } from '../config/config.ts';
import { byName } from '../domain/loopback.ts';
import type { CreateBuckets } from '../domain/tokenBuckets.ts';
import type { PaidRoute } from '../http/paid/paidRoute.ts';
import { agentRoutes } from '../http/risk/agentRoutes.ts';
import { openLiveGraph } from '../http/risk/liveGraph.ts';
import type { ServerDeps } from '../http/serverDeps.ts';
import type { Listing } from '../payments/facilitator/remote.ts';
import { openPayments } from '../payments/service.ts';
import { METHOD_VERSION } from '../risk/grade/method.ts';
import type { Store } from '../store/store.ts';
import { paymentMetrics } from './paymentMetrics.ts';
import { testPaymentSettings } from './paymentSettings.ts';

/** The risk API with its payment gate. */
export interface PaidApi {
  readonly routes: readonly PaidRoute[];
  readonly paid: NonNullable<ServerDeps['paid']>;
  readonly metrics: ReturnType<typeof paymentMetrics>;
  close(): Promise<void>;
}

/** Undefined if the configuration has no payments. */
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
  readonly hasRoom: (() => boolean) | undefined;
}): Promise<PaidApi | undefined> {
  const { config, store, log, now } = deps;
  const { payments } = config;
  if (payments === undefined) return undefined;
  // The documented settings, without keys.
  const { facilitator: _, blocked: __, ...offer } = payments;
  const chain = config.chains.find(({ chainId }) => chainId === payments.chainId)!;
  const tested = await testPaymentSettings({ payments, chain, log });
  const service = await openPayments({
    config: payments,
    chain,
    store,
    createBuckets: deps.createBuckets,
    hasRoom: deps.hasRoom,
    publicUrl: (host) => config.http.publicUrl ?? byName(deps.url(), host),
    now,
    onError: logRateLimited(log, 'a payment needs attention'),
    onLowBalance: ({ address, wei }) =>
      log.warn({ address, wei: String(wei) }, 'the gas balance of a settlement key is low'),
    onGasLost: ({ payer, transaction, gas, wei, hasCode, penalized }, figures) => {
      const lostInHour = hasCode ? figures.walletsLostInHour : figures.plainLostInHour;
      const lostPerHour = hasCode ? figures.lostPerHour : figures.plainLostPerHour;
      const shut = lostInHour >= lostPerHour;
      const fields = {
        payer,
        transaction,
        gas: String(gas),
        wei: String(wei),
        hasCode,
        blamed: penalized,
        lostInHour: String(lostInHour),
        lostPerHour: String(lostPerHour),
      };
      log[shut ? 'error' : 'warn'](fields, 'gas was spent on a failed settlement');
    },
    onSelling: ({ stopped, lost }) => {
      const { payments: most, seconds } = payments.lossLimit;
      const fields = { lost, most, hours: seconds / 3_600 };
      if (stopped) log.error(fields, STOPPED);
      else log.warn(fields, 'paid routes are open again');
    },
    onFound: (count) =>
      log.warn({ count }, 'payments were charged without a record: see "assay payments list"'),
    onListing: logListingChanges(log),
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

const STOPPED =
  'paid routes are closed: too many payments were lost (served, but not paid); see "assay payments list", fix the cause, then run "assay payments resume"';

/** Each payment returns a listing status: only a changed one is logged. */
function logListingChanges(log: Log): (listing: Listing) => void {
  let last = '';
  return ({ url, status, reason }) => {
    const news = JSON.stringify([status, reason]);
    if (news === last) return;
    last = news;
    const level = status === 'rejected' ? 'warn' : 'info';
    log[level](
      { url, status, reason },
      'the facilitator service reported the listing status of this seller',
    );
  };
}

/** Clients can trigger RPC failures: log one line per kind of failure and time window. */
const QUIET_MS = 10_000;

function logRateLimited(log: Log, message: string): (error: unknown) => void {
  const logged = new Map<string, { at: number; suppressed: number }>();
  return (err) => {
    const kind = err instanceof Error ? err.name : typeof err;
    const last = logged.get(kind);
    if (last !== undefined && performance.now() - last.at < QUIET_MS) {
      last.suppressed++;
      return;
    }
    logged.set(kind, { at: performance.now(), suppressed: 0 });
    log.error({ err, ...(last?.suppressed && { alsoTimes: last.suppressed }) }, message);
  };
}
