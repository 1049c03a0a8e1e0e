import type { FastifyInstance } from 'fastify';
import type { Log } from './cli/log.ts';
import type { Config } from './config/config.ts';
import { ADMIN_HOST, createAdminServer } from './http/admin.ts';
import { apiRoutes } from './http/apiRoutes.ts';
import { listenForFamilies } from './http/familyChanges.ts';
import { closeServer, listen } from './http/listen.ts';
import { createMetrics } from './http/metrics.ts';
import { createServer } from './http/server.ts';
import { type ChainStatus, createStatusReader } from './http/status.ts';
import { loadCursorKey } from './http/vault/cursor.ts';
import { createLiveChains } from './http/vault/liveChains.ts';
import { createIndexer } from './ingest/indexer.ts';
import { ingestCounters } from './ingestCounters.ts';
import { openStore } from './store/open.ts';

export interface AppOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  /** What this process does; `assay start` does both. */
  readonly serve: boolean;
  readonly index: boolean;
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
const now = () => Math.floor(Date.now() / 1000);

/** The whole server: config → store → indexer → HTTP. The one file that knows every folder. */
export async function startApp({ config, log, version, serve, index }: AppOptions): Promise<App> {
  const store = await openStore(config.store);
  const getChainStatuses = createStatusReader({ store, configured: config.chains, now });
  const stopping = new AbortController();
  const servers: FastifyInstance[] = [];
  const closing: (() => Promise<void>)[] = [];
  try {
    const onError = (err: unknown) => log.error({ err }, 'a request failed');
    const indexer = createIndexer({ config, store, log, now });
    const counters = index ? ingestCounters(indexer.counts) : [];
    const metrics = createMetrics({ version, getChainStatuses, counters });
    const admin = createAdminServer({ metrics, onError });
    servers.push(admin);
    const { host, port, adminPort } = config.http;
    await listen(admin, { host: ADMIN_HOST, port: adminPort, setting: 'ADMIN_PORT' });
    let url: string | undefined;
    if (serve) {
      const chains = createLiveChains(config);
      closing.push(async () => chains.close());
      const changes = await listenForFamilies(store);
      closing.push(changes.stop);
      const routes = apiRoutes({ config, store, chains, cursorKey: await loadCursorKey(store) });
      const onFamilyChange = changes.onChange;
      const { http } = config;
      const api = createServer({
        version,
        getChainStatuses,
        onError,
        routes,
        onFamilyChange,
        http,
      });
      servers.push(api);
      const bound = await listen(api, { host, port, setting: 'PORT' });
      url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    }
    const running = index ? indexer.run(stopping.signal) : new Promise<void>(() => {});
    return { url, getChainStatuses, running, stop };

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
