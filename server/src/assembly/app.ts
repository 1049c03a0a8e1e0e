import type { FastifyInstance } from 'fastify';
import { createRpcCalls } from '../chain/rpcCalls.ts';
import { checkUnreadAssets } from '../check/checkTokens.ts';
import type { Log } from '../cli/log.ts';
import type { StoreCommand } from '../commands/storeCommand.ts';
import type { Config } from '../config/config.ts';
import { createConnectionCounts } from '../http/connections.ts';
import { closeServer } from '../http/listen.ts';
import { createMetrics } from '../http/metrics.ts';
import { createRequestTimes } from '../http/requestTimes.ts';
import { type ChainStatus, createStatusReader } from '../http/status.ts';
import { createIndexer } from '../ingest/indexer.ts';
import { isTraced } from '../runtime/traced.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { openAdminServers } from './adminServers.ts';
import { alertGauge } from './alertGauge.ts';
import { type ApiServer, openApiServer } from './apiServer.ts';
import { backupMetrics } from './backupMetrics.ts';
import { openCallBudgets } from './callBudgets.ts';
import { clusterMetrics, logCluster } from './clusterLog.ts';
import { ingestCounters, leaderGauge } from './ingestCounters.ts';
import { openLimitExchange } from './limitExchange.ts';
import { logOutages, withoutOutages } from './outageLog.ts';
import { openPaidApi } from './paidApi.ts';
import { postAlert } from './postAlert.ts';
import { scheduleBackups } from './scheduledBackups.ts';
import { serverMetrics } from './serverMetrics.ts';
import { startUp } from './startUp.ts';
import { storeMetrics } from './storeMetrics.ts';
import { roomMetrics, watchStoreRoom } from './storeRoom.ts';
import { traceStore } from './tracedStore.ts';
import { createWebhookDelivery } from './webhookDelivery.ts';
import { runWriters } from './writers.ts';

export interface AppOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  /** What this process does; `assay start` does both. */
  readonly serve: boolean;
  readonly index: boolean;
  /** The commands that an operator can run in this process while it uses the embedded database. */
  readonly commands: readonly StoreCommand[];
  /** Reads the free bytes on the disk of the embedded database; default: from the system. */
  readonly readFreeBytes?: () => Promise<number>;
}

export interface App {
  /** The URL of the API; undefined if this process does not serve it. */
  readonly url: string | undefined;
  readonly getChainStatuses: () => Promise<readonly ChainStatus[]>;
  /** Rejects if a part that cannot be restarted has failed. */
  readonly running: Promise<void>;
  stop(): Promise<void>;
}

/** Time for requests in progress when the port closes: a paid response waits for its settlement. */
const GRACE_MS = 20_000;
const ADMIN_GRACE_MS = 5_000;

/** The entire server: config → store → indexer → HTTP. The only file that imports every folder. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, version, serve, index } = options;
  const start = await startUp({ config, log: options.log, serve });
  const store = isTraced() ? traceStore(start.store) : start.store;
  if (store.cluster !== undefined) logCluster(store.cluster, options.log);
  logOutages(store.health, options.log);
  if (serve) logUnreadAssets(config, options.log);
  const log = withoutOutages(options.log, store.health);
  const getChainStatuses = createStatusReader({ store: store.freeReads, config, now: unixTime });
  const stopping = new AbortController();
  const servers: FastifyInstance[] = [];
  const closing: (() => Promise<void>)[] = [];
  try {
    const room = await watchStoreRoom(config.store, log, options.readFreeBytes);
    closing.push(async () => room?.stop());
    const onError = (err: unknown, requestId?: string) =>
      log.error({ err, requestId }, 'a request failed');
    const calls = createRpcCalls();
    const budgets = await openCallBudgets(store, config.chains, calls);
    closing.push(budgets.close);
    const mayReadPast = (chainId: number) => budgets.of(chainId).hasRoom();
    const indexer = createIndexer({
      ...{ config, store, log, now: unixTime, calls, mayReadPast },
      post: postAlert,
    });
    const counters = index ? ingestCounters(indexer.counts) : [];
    let api: ApiServer | undefined;
    const limits = serve ? await openLimitExchange(store, log) : undefined;
    if (limits !== undefined) closing.push(limits.stop);
    const createBuckets = limits?.createBuckets;
    const paid = serve
      ? await openPaidApi({
          ...{ config, store, log, calls, createBuckets },
          now: unixTime,
          url: () => api?.url ?? '',
          hasRoom: room && (() => !room.isLow()),
        })
      : undefined;
    if (paid !== undefined) closing.push(paid.close);
    const observed = serve
      ? { times: createRequestTimes(), connections: createConnectionCounts() }
      : undefined;
    const ofStore = storeMetrics(store);
    const own = serverMetrics(calls, observed?.times, observed?.connections);
    const { copyTo } = store;
    const backups =
      config.backup && copyTo
        ? scheduleBackups({ config: config.backup, copyTo, log, now: unixTime })
        : undefined;
    if (backups !== undefined) closing.push(backups.stop);
    const ofBackups = backupMetrics(config.backup, unixTime, () => backups?.failures() ?? 0);
    const webhooks = createWebhookDelivery({ config, store, log });
    closing.push(webhooks.stop);
    const metrics = createMetrics({
      version,
      getChainStatuses,
      health: store.health,
      counters: [
        ...counters,
        ...own.counters,
        ...ofStore.counters,
        ...ofBackups.counters,
        ...(limits ? [limits.counter] : []),
        ...(serve ? webhooks.counters : []),
        ...(paid?.metrics.counters ?? []),
      ],
      gauges: [
        ...(index ? [leaderGauge(indexer.leading), alertGauge(config.alerts, store)] : []),
        ...roomMetrics(room),
        ...ofBackups.gauges,
        ...ofStore.gauges,
        ...clusterMetrics(store),
        ...(serve ? webhooks.gauges : []),
        ...(paid?.metrics.gauges ?? []),
      ],
      histograms: own.histograms,
    });
    const probed = { metrics, onError, checkStore: getChainStatuses };
    await openAdminServers({
      ...{ config, store, log, commands: options.commands, probed },
      ...{ listen: start.listen, servers, closing },
    });
    if (observed !== undefined) {
      api = await openApiServer({
        ...{ config, version, store, log, calls, room, createBuckets, paid, webhooks },
        ...{ ...observed, getChainStatuses, onError, listen: start.listen, servers, closing },
      });
    }
    const writing = { config, store, log, indexer, room, signal: stopping.signal };
    const indexing = index ? runWriters(writing) : new Promise<void>(() => {});
    const crashed = store.crashed?.then((error) => Promise.reject(error));
    const running = Promise.race([indexing, ...(crashed ? [crashed] : [])]);
    // Callers that do not await it notice by failing requests.
    running.catch(() => {});
    return { url: api?.url, getChainStatuses, running, stop };

    async function stop(): Promise<void> {
      stopping.abort();
      await api?.drain();
      await Promise.all(
        servers.map((server) =>
          closeServer(server, server === api?.server ? GRACE_MS : ADMIN_GRACE_MS),
        ),
      );
      if (index) await indexing.catch(() => {});
      await Promise.allSettled(closing.map((close) => close()));
      await store.close();
    }
  } catch (error) {
    await start.close();
    await Promise.allSettled(servers.map((server) => server.close()));
    await Promise.allSettled(closing.map((close) => close()));
    await store.close();
    throw error;
  }
}

/** Files from before `asset` was required still start. */
function logUnreadAssets(config: Config, log: Log): void {
  for (const { text } of checkUnreadAssets(config))
    log.warn(
      { note: text },
      'a chain is missing from its family until it is read; complete the configuration',
    );
}
