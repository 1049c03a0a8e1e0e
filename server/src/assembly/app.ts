import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { createRpcCalls } from '../chain/rpcCalls.ts';
import { checkUnreadAssets } from '../check/checkTokens.ts';
import { removeAdminAccess, writeAdminAccess } from '../cli/adminFile.ts';
import { describeFailure } from '../cli/failure.ts';
import type { Log } from '../cli/log.ts';
import type { StoreCommand } from '../commands/storeCommand.ts';
import type { Config } from '../config/config.ts';
import { isLoopbackHost } from '../domain/loopback.ts';
import { createAccessLog } from '../http/accessLog.ts';
import { createAdminServer, createMetricsServer } from '../http/admin.ts';
import { apiRoutes } from '../http/apiRoutes.ts';
import { createClientAddress, createLimitedClientOf } from '../http/clientAddress.ts';
import { createConnectionCounts } from '../http/connections.ts';
import { loadDashboard } from '../http/dashboard.ts';
import { createDashboardFamily } from '../http/dashboardFamily.ts';
import { createDashboardNodes } from '../http/dashboardNodes.ts';
import { createDashboardOverview } from '../http/dashboardOverview.ts';
import { createDashboardPools } from '../http/dashboardPools.ts';
import { listenForEvents } from '../http/events/eventCommits.ts';
import { createEventFeed } from '../http/events/eventFeed.ts';
import { eventRoutes } from '../http/events/eventRoutes.ts';
import { createEventStreams, type EventStreams } from '../http/events/eventStreams.ts';
import { eventWire } from '../http/events/eventWire.ts';
import { watchStaleChains } from '../http/events/staleChains.ts';
import { exportRoute } from '../http/export/exportRoute.ts';
import { createExportStreams, type ExportStreams } from '../http/export/exportStreams.ts';
import { listenForFamilies } from '../http/familyChanges.ts';
import { closeServer, drain } from '../http/listen.ts';
import { createMetrics } from '../http/metrics.ts';
import { createReadyMark } from '../http/readiness.ts';
import { createRequestTimes } from '../http/requestTimes.ts';
import { createServer } from '../http/server.ts';
import { createSharedLimits, loadLimitKey } from '../http/sharedLimits.ts';
import { type ChainStatus, createStatusReader } from '../http/status.ts';
import { loadCursorKey } from '../http/vault/cursor.ts';
import { createLiveChains } from '../http/vault/liveChains.ts';
import { createIndexer } from '../ingest/indexer.ts';
import { runRisk } from '../risk/import/riskLoop.ts';
import { pause } from '../runtime/pause.ts';
import { isTraced } from '../runtime/traced.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { READ_LAG_MS } from '../store/replicaLag.ts';
import type { Store } from '../store/store.ts';
import { alertGauge } from './alertGauge.ts';
import { backupMetrics } from './backupMetrics.ts';
import { openCallBudgets } from './callBudgets.ts';
import { clusterMetrics, logCluster } from './clusterLog.ts';
import { ingestCounters, leaderGauge } from './ingestCounters.ts';
import { startLimitExchange } from './limitExchange.ts';
import { OPERATOR_ERRORS } from './operatorErrors.ts';
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
/** Maximum time that the risk graph waits for the chains. */
const CHAINS_FIRST_MS = 3_000;

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
  let draining = false;
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
    let url: string | undefined;
    let api: FastifyInstance | undefined;
    let streams: EventStreams | undefined;
    let exports: ExportStreams | undefined;
    // The embedded database allows only one process.
    const limits =
      serve && store.engine === 'postgres'
        ? createSharedLimits(store, await loadLimitKey(store))
        : undefined;
    const exchanged = limits && startLimitExchange(limits, log);
    if (exchanged !== undefined) closing.push(exchanged.stop);
    const createBuckets = limits?.createBuckets;
    const paid = serve
      ? await openPaidApi({
          ...{ config, store, log, calls, createBuckets },
          now: unixTime,
          url: () => url ?? '',
          hasRoom: room && (() => !room.isLow()),
        })
      : undefined;
    if (paid !== undefined) closing.push(paid.close);
    const times = serve ? createRequestTimes() : undefined;
    const ended = serve ? createConnectionCounts() : undefined;
    const ofStore = storeMetrics(store);
    const own = serverMetrics(calls, times, ended);
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
        ...(exchanged ? [exchanged.counter] : []),
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
    const token = randomBytes(32).toString('base64url');
    const commands = { token, ...bindCommands(options.commands, { config, store, log }) };
    // With PostgreSQL, a command opens the store itself.
    const locked = store.engine === 'pglite';
    const admin = createAdminServer({ ...probed, ...(locked && { commands }) });
    servers.push(admin);
    const { host, metricsPort } = config.http;
    const boundAdmin = await start.listen(admin, 'admin');
    if (locked) {
      const { folder } = config.store;
      closing.push(() => removeAdminAccess(folder));
      await writeAdminAccess(folder, { pid: process.pid, port: boundAdmin, token });
    }
    if (metricsPort !== undefined) {
      const watched = createMetricsServer(probed);
      servers.push(watched);
      await start.listen(watched, 'metrics');
    }
    if (serve) {
      const chains = createLiveChains(config, { calls });
      closing.push(async () => chains.close());
      const lagMs = config.store.replicaUrl === undefined ? 0 : READ_LAG_MS;
      const changes = await listenForFamilies(store, lagMs);
      closing.push(changes.stop);
      const commits = await listenForEvents(store, lagMs);
      closing.push(commits.stop);
      const cursorKey = await loadCursorKey(store);
      // The free routes: they are served with their age while the primary is unavailable.
      const free = { ...store, reads: store.freeReads };
      const routes = apiRoutes({ config, store: free, chains, cursorKey });
      const feed = createEventFeed({ config, store: free, onCommit: commits.onCommit });
      streams = createEventStreams({ feed, cursorKey, onError });
      await webhooks.start({ onCommit: commits.onCommit, cursorKey });
      closing.push(watchStaleChains({ store, getChainStatuses, now: unixTime, onError }));
      const ofEvents = eventRoutes({ config, feed, streams, cursorKey });
      const clientOf = createLimitedClientOf(config.http.rateLimit);
      exports = createExportStreams({ onError, clientOf });
      const events = { feed, form: eventWire(cursorKey) };
      const ofExports = exportRoute({ config, store: free, events, streams: exports });
      const onFamilyChange = changes.onChange;
      const { http } = config;
      const accessLog = http.accessLog
        ? createAccessLog(
            (line) => log.info(line, 'request'),
            createClientAddress(http.rateLimit?.trustedProxies ?? []),
          )
        : undefined;
      const dashboard = await loadDashboard(config);
      const data = {
        overview: createDashboardOverview({ config, store: free, routes, now: unixTime }),
        nodes: createDashboardNodes({ config, store: free }),
        pools: createDashboardPools({ config, routes, now: unixTime }),
        family: createDashboardFamily({ config, store: free, now: unixTime }),
      };
      api = createServer({
        version,
        getChainStatuses,
        cursorKey,
        database: store,
        readyMark: createReadyMark(store, unixTime),
        storage: room,
        isDraining: () => draining,
        onError,
        observers: { times, accessLog },
        routes: [...routes, ...ofEvents, ofExports, ...(paid?.routes ?? [])],
        onFamilyChange,
        url: () => (isLoopbackHost(host) ? (url ?? '') : ''),
        http,
        dashboard: dashboard && { ...dashboard, data },
        ...(ended && { connections: { counts: ended } }),
        ...(createBuckets && { createBuckets }),
        ...(paid && { paid: paid.paid }),
      });
      servers.push(api);
      const bound = await start.listen(api, 'api');
      url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    }
    const indexing = index ? runIndex() : new Promise<void>(() => {});
    const crashed = store.crashed?.then((error) => Promise.reject(error));
    const running = Promise.race([indexing, ...(crashed ? [crashed] : [])]);
    // Callers that do not await it notice by failing requests.
    running.catch(() => {});
    return { url, getChainStatuses, running, stop };

    /** Until the end, but not while the disk is almost full. */
    async function runIndex(): Promise<void> {
      const { signal } = stopping;
      while (!signal.aborted) {
        await room?.untilEnough(signal);
        await runWriters(room ? AbortSignal.any([signal, room.low()]) : signal);
      }
    }

    async function runWriters(signal: AbortSignal): Promise<void> {
      await Promise.all([
        indexer.run(signal),
        // Both are busiest in an empty store, and the data of the chains is more urgent.
        Promise.race([indexer.caughtUp, pause(CHAINS_FIRST_MS, signal)]).then(() =>
          runRisk({ config, store, log, now: unixTime, signal }),
        ),
      ]);
    }

    async function stop(): Promise<void> {
      stopping.abort();
      draining = true;
      if (api !== undefined) await drain(api, config.http.drainSeconds ?? 0);
      streams?.close();
      exports?.close();
      await Promise.all(
        servers.map((server) => closeServer(server, server === api ? GRACE_MS : ADMIN_GRACE_MS)),
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

/** The operator's commands on this process's own store. */
function bindCommands(
  commands: readonly StoreCommand[],
  own: { readonly config: Config; readonly store: Store; readonly log: Log },
) {
  return {
    commands: commands.map(({ name, runOn }) => ({
      name,
      run: (args: unknown, print: (line: string) => void, signal: AbortSignal) =>
        runOn({ ...own, signal }, args as never, print),
    })),
    describeFailure: (error: unknown) => describeFailure(error, OPERATOR_ERRORS),
  };
}

/** Files from before `asset` was required still start. */
function logUnreadAssets(config: Config, log: Log): void {
  for (const { text } of checkUnreadAssets(config))
    log.warn(
      { note: text },
      'a chain is missing from its family until it is read; complete the configuration',
    );
}
