import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { openCallBudgets } from './callBudgets.ts';
import { createRpcCalls } from './chain/rpcCalls.ts';
import { removeAdminAccess, writeAdminAccess } from './cli/adminFile.ts';
import { describeFailure } from './cli/failure.ts';
import type { Log } from './cli/log.ts';
import type { StoreCommand } from './commands/storeCommand.ts';
import type { Config } from './config/config.ts';
import { isLoopbackHost } from './domain/loopback.ts';
import { ADMIN_HOST, createAdminServer, createMetricsServer } from './http/admin.ts';
import { apiRoutes } from './http/apiRoutes.ts';
import { loadDashboard } from './http/dashboard.ts';
import { listenForFamilies } from './http/familyChanges.ts';
import { closeServer, listen } from './http/listen.ts';
import { createMetrics } from './http/metrics.ts';
import { createReadyMark } from './http/readiness.ts';
import { createResponseCounts } from './http/responseCounts.ts';
import { createServer } from './http/server.ts';
import { createSharedLimits, runSharedLimits } from './http/sharedLimits.ts';
import { type ChainStatus, createStatusReader } from './http/status.ts';
import { loadCursorKey } from './http/vault/cursor.ts';
import { createLiveChains } from './http/vault/liveChains.ts';
import { createIndexer } from './ingest/indexer.ts';
import { runRisk } from './ingest/risk/riskLoop.ts';
import { ingestCounters } from './ingestCounters.ts';
import { OPERATOR_ERRORS } from './operatorErrors.ts';
import { openPaidApi } from './paidApi.ts';
import { pause } from './runtime/pause.ts';
import { unixTime } from './runtime/unixTime.ts';
import { serverMetrics } from './serverMetrics.ts';
import { openStore } from './store/open.ts';
import { READ_LAG_MS } from './store/replicaLag.ts';
import type { Store } from './store/store.ts';

export interface AppOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  /** What this process does; `assay start` does both. */
  readonly serve: boolean;
  readonly index: boolean;
  /** What the operator may have this process do while it has the embedded database. */
  readonly commands: readonly StoreCommand[];
}

export interface App {
  /** Where the API answers; undefined when this process does not serve. */
  readonly url: string | undefined;
  readonly getChainStatuses: () => Promise<readonly ChainStatus[]>;
  /** Rejects when a part that cannot be restarted has failed. */
  readonly running: Promise<void>;
  stop(): Promise<void>;
}

const GRACE_MS = 5_000;
/** For so long at most the risk graph waits for the chains. */
const CHAINS_FIRST_MS = 3_000;

/** The whole server: config → store → indexer → HTTP. The one file that knows every folder. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, log, version, serve, index } = options;
  const store = await openStore(config.store);
  const getChainStatuses = createStatusReader({ store, config, now: unixTime });
  const stopping = new AbortController();
  const servers: FastifyInstance[] = [];
  const closing: (() => Promise<void>)[] = [];
  try {
    const onError = (err: unknown) => log.error({ err }, 'a request failed');
    const calls = createRpcCalls();
    const budgets = await openCallBudgets(store, config.chains, calls);
    closing.push(budgets.close);
    const mayReadPast = (chainId: number) => budgets.of(chainId).hasRoom();
    const indexer = createIndexer({ config, store, log, now: unixTime, calls, mayReadPast });
    const counters = index ? ingestCounters(indexer.counts) : [];
    let url: string | undefined;
    // The embedded database serves one process.
    const limits = serve && store.engine === 'postgres' ? createSharedLimits(store) : undefined;
    if (limits !== undefined) closing.push(runSharedLimits(limits));
    const createBuckets = limits?.createBuckets;
    const paid = serve
      ? await openPaidApi({
          ...{ config, store, log, calls, createBuckets },
          now: unixTime,
          url: () => url ?? '',
        })
      : undefined;
    if (paid !== undefined) closing.push(paid.close);
    const responses = serve ? createResponseCounts() : undefined;
    closing.push(async () => responses?.stop());
    const own = serverMetrics(calls, responses, config.store);
    const metrics = createMetrics({
      version,
      getChainStatuses,
      counters: [...counters, ...own.counters, ...(paid?.metrics.counters ?? [])],
      gauges: [...own.gauges, ...(paid?.metrics.gauges ?? [])],
    });
    const token = randomBytes(32).toString('base64url');
    const commands = { token, ...bindCommands(options.commands, { config, store, log }) };
    // Beside PostgreSQL a command opens the store itself.
    const locked = store.engine === 'pglite';
    const admin = createAdminServer({ metrics, onError, ...(locked && { commands }) });
    servers.push(admin);
    const { host, port, adminPort, metricsPort } = config.http;
    const adminTarget = { host: ADMIN_HOST, port: adminPort, setting: 'ADMIN_PORT' };
    const boundAdmin = await listen(admin, adminTarget);
    if (locked) {
      const { folder } = config.store;
      closing.push(() => removeAdminAccess(folder));
      await writeAdminAccess(folder, { pid: process.pid, port: boundAdmin, token });
    }
    if (metricsPort !== undefined) {
      const watched = createMetricsServer({ metrics, onError });
      servers.push(watched);
      await listen(watched, { host, port: metricsPort, setting: 'METRICS_PORT' });
    }
    if (serve) {
      const chains = createLiveChains(config, { calls });
      closing.push(async () => chains.close());
      const changes = await listenForFamilies(
        store,
        config.store.replicaUrl === undefined ? 0 : READ_LAG_MS,
      );
      closing.push(changes.stop);
      const cursorKey = await loadCursorKey(store);
      const routes = apiRoutes({ config, store, chains, cursorKey });
      const onFamilyChange = changes.onChange;
      const { http } = config;
      const api = createServer({
        version,
        getChainStatuses,
        cursorKey,
        readyMark: createReadyMark(store, unixTime),
        onError,
        routes: [...routes, ...(paid?.routes ?? [])],
        onFamilyChange,
        url: () => (isLoopbackHost(host) ? (url ?? '') : ''),
        http,
        dashboard: await loadDashboard(config),
        ...(createBuckets && { createBuckets }),
        ...(paid && { paid: paid.paid }),
      });
      servers.push(api);
      responses?.watch(api.server);
      const bound = await listen(api, { host, port, setting: 'PORT' });
      url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    }
    const running = index ? runIndex() : new Promise<void>(() => {});
    return { url, getChainStatuses, running, stop };

    async function runIndex(): Promise<void> {
      const { signal } = stopping;
      await Promise.all([
        indexer.run(signal),
        // Both are at their busiest in an empty store, and the chains' numbers are waited for.
        Promise.race([indexer.caughtUp, pause(CHAINS_FIRST_MS, signal)]).then(() =>
          runRisk({ config, store, log, now: unixTime, signal }),
        ),
      ]);
    }

    async function stop(): Promise<void> {
      stopping.abort();
      await Promise.all(servers.map((server) => closeServer(server, GRACE_MS)));
      if (index) await running.catch(() => {});
      await Promise.allSettled(closing.map((close) => close()));
      await store.close();
    }
  } catch (error) {
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
