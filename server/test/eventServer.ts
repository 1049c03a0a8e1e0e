import type { FastifyInstance } from 'fastify';
import type { Config } from '../src/config/config.ts';
import { listenForEvents } from '../src/http/events/eventCommits.ts';
import { createEventFeed } from '../src/http/events/eventFeed.ts';
import { eventRoutes } from '../src/http/events/eventRoutes.ts';
import { createEventStreams } from '../src/http/events/eventStreams.ts';
import { eventWire } from '../src/http/events/eventWire.ts';
import { closeServer } from '../src/http/listen.ts';
import { createServer } from '../src/http/server.ts';
import { historyRoutes } from '../src/http/vault/history.ts';
import type { Store } from '../src/store/store.ts';
import { startWebhooks } from '../src/webhooks/webhooks.ts';

const CURSOR_KEY = '0x0b';

/** Serves the feed and the history of a store, and delivers to the configured webhooks. */
export interface EventServer {
  readonly url: string;
  close(graceMs?: number): Promise<void>;
}

export async function startEventServer(options: {
  readonly config: Pick<Config, 'families' | 'chains' | 'webhooks'>;
  readonly store: Store;
  readonly onError: (error: unknown) => void;
  /** Default: a free port. */
  readonly port?: number;
}): Promise<EventServer> {
  const { store, onError, port = 0 } = options;
  const config = options.config as Config;
  const commits = await listenForEvents(store);
  const feed = createEventFeed({ config, store, onCommit: commits.onCommit });
  const webhooks = await startWebhooks({
    ...{ endpoints: config.webhooks ?? [], store, wire: eventWire(CURSOR_KEY), now: Date.now },
    feed: createEventFeed({ config, store: { reads: store }, onCommit: commits.onCommit }),
    hooks: { onAttempt() {}, onFailing() {}, onRecovered() {}, onPaused() {}, onError },
    delay: () => 20,
    timeoutMs: 1_000,
  });
  const streams = createEventStreams({ feed, cursorKey: CURSOR_KEY, onError });
  const app: FastifyInstance = createServer({
    version: '0.0.0',
    getChainStatuses: async () => [],
    onError,
    routes: [
      ...historyRoutes({ config, store, cursorKey: CURSOR_KEY }),
      ...eventRoutes({ config, feed, streams, cursorKey: CURSOR_KEY }),
    ],
  });
  const url = await app.listen({ host: '127.0.0.1', port });
  return {
    url,
    async close(graceMs = 5_000) {
      streams.close();
      await webhooks.stop();
      await closeServer(app, graceMs);
      await commits.stop();
    },
  };
}
