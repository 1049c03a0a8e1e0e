import type { FastifyInstance } from 'fastify';
import type { RpcCalls } from '../chain/rpcCalls.ts';
import type { Log } from '../cli/log.ts';
import type { Config } from '../config/config.ts';
import { isLoopbackHost } from '../domain/loopback.ts';
import type { CreateBuckets } from '../domain/tokenBuckets.ts';
import { createAccessLog } from '../http/accessLog.ts';
import { apiRoutes } from '../http/apiRoutes.ts';
import { createClientAddress, createLimitedClientOf } from '../http/clientAddress.ts';
import type { ConnectionCounts } from '../http/connections.ts';
import { loadDashboard } from '../http/dashboard.ts';
import { createDashboardFamily } from '../http/dashboardFamily.ts';
import { createDashboardNodes } from '../http/dashboardNodes.ts';
import { createDashboardOverview } from '../http/dashboardOverview.ts';
import { createDashboardPools } from '../http/dashboardPools.ts';
import { listenForEvents } from '../http/events/eventCommits.ts';
import { createEventFeed } from '../http/events/eventFeed.ts';
import { eventRoutes } from '../http/events/eventRoutes.ts';
import { createEventStreams } from '../http/events/eventStreams.ts';
import { eventWire } from '../http/events/eventWire.ts';
import { watchStaleChains } from '../http/events/staleChains.ts';
import { exportRoute } from '../http/export/exportRoute.ts';
import { createExportStreams } from '../http/export/exportStreams.ts';
import { listenForFamilies } from '../http/familyChanges.ts';
import { drain } from '../http/listen.ts';
import { createReadyMark } from '../http/readiness.ts';
import type { RequestTimes } from '../http/requestTimes.ts';
import { createServer } from '../http/server.ts';
import type { ServerDeps } from '../http/serverDeps.ts';
import { loadCursorKey } from '../http/vault/cursor.ts';
import { createLiveChains } from '../http/vault/liveChains.ts';
import { unixTime } from '../runtime/unixTime.ts';
import type { FreeSpace } from '../store/freeSpace.ts';
import { READ_LAG_MS } from '../store/replicaLag.ts';
import type { Store } from '../store/store.ts';
import type { PaidApi } from './paidApi.ts';
import type { StartUp } from './startUp.ts';
import type { WebhookDelivery } from './webhookDelivery.ts';

/** The port for clients: free routes, paid routes, events, exports, and the dashboard. */
export interface ApiServer {
  readonly server: FastifyInstance;
  readonly url: string;
  /** Lets load balancers notice that it stops, then ends its streams. */
  drain(): Promise<void>;
}

export interface ApiServerDeps
  extends Pick<ServerDeps, 'version' | 'getChainStatuses' | 'onError'> {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly calls: RpcCalls;
  readonly room: FreeSpace | undefined;
  readonly createBuckets: CreateBuckets | undefined;
  readonly paid: PaidApi | undefined;
  readonly times: RequestTimes;
  readonly connections: ConnectionCounts;
  readonly webhooks: WebhookDelivery;
  readonly listen: StartUp['listen'];
  /** What to close with the process; more is added. */
  readonly servers: FastifyInstance[];
  readonly closing: (() => Promise<void>)[];
}

export async function openApiServer(deps: ApiServerDeps): Promise<ApiServer> {
  const { config, store, log, room, createBuckets, paid, webhooks, servers, closing } = deps;
  const { version, getChainStatuses, onError } = deps;
  const { http } = config;
  const { host } = http;
  let isDraining = false;
  let url = '';
  const chains = createLiveChains(config, { calls: deps.calls });
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
  const streams = createEventStreams({ feed, cursorKey, onError });
  await webhooks.start({ onCommit: commits.onCommit, cursorKey });
  closing.push(watchStaleChains({ store, getChainStatuses, now: unixTime, onError }));
  const ofEvents = eventRoutes({ config, feed, streams, cursorKey });
  const exports = createExportStreams({ onError, clientOf: createLimitedClientOf(http.rateLimit) });
  const events = { feed, form: eventWire(cursorKey) };
  const ofExports = exportRoute({ config, store: free, events, streams: exports });
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
  const server = createServer({
    ...{ version, getChainStatuses, cursorKey, onError, http },
    database: store,
    readyMark: createReadyMark(store, unixTime),
    storage: room,
    isDraining: () => isDraining,
    observers: { times: deps.times, accessLog },
    routes: [...routes, ...ofEvents, ofExports, ...(paid?.routes ?? [])],
    onFamilyChange: changes.onChange,
    url: () => (isLoopbackHost(host) ? url : ''),
    dashboard: dashboard && { ...dashboard, data },
    connections: { counts: deps.connections },
    ...(createBuckets && { createBuckets }),
    ...(paid && { paid: paid.paid }),
  });
  servers.push(server);
  const port = await deps.listen(server, 'api');
  url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    ...{ server, url },
    async drain() {
      isDraining = true;
      await drain(server, http.drainSeconds ?? 0);
      streams.close();
      exports.close();
    },
  };
}
