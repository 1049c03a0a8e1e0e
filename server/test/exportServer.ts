import type { Config } from '../src/config/config.ts';
import { createEventFeed } from '../src/http/events/eventFeed.ts';
import { eventWire } from '../src/http/events/eventWire.ts';
import { exportRoute } from '../src/http/export/exportRoute.ts';
import { createExportStreams } from '../src/http/export/exportStreams.ts';
import { closeServer, listen } from '../src/http/listen.ts';
import { createServer } from '../src/http/server.ts';
import { historyRoutes } from '../src/http/vault/history.ts';
import { ledgerRoute } from '../src/http/vault/ledger.ts';
import { seriesRoutes } from '../src/http/vault/series.ts';
import type { Store } from '../src/store/store.ts';

const KEY = '0x0e';

/** Serves exports, and the routes with the same rows. */
export interface ExportServer {
  readonly url: string;
  getText(path: string, headers?: Record<string, string>): Promise<string>;
  getJson<T>(path: string): Promise<T>;
  close(): Promise<void>;
}

export async function startExportServer(config: Config, store: Store): Promise<ExportServer> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const streams = createExportStreams({ onError, clientOf: () => undefined });
  const feed = createEventFeed({ config, store, onCommit: () => () => undefined });
  const app = createServer({
    version: '0.0.0',
    getChainStatuses: async () => [],
    onError,
    routes: [
      ...historyRoutes({ config, store, cursorKey: KEY }),
      ...seriesRoutes({ config, store }),
      ledgerRoute({ config, store }),
      exportRoute({ config, store, events: { feed, form: eventWire(KEY) }, streams }),
    ],
  });
  const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async getText(path, headers = {}) {
      const response = await fetch(url + path, { headers });
      const text = await response.text().catch((error: Error) => error.message);
      if (!response.ok || errors.length > 0)
        throw new Error(`${response.status} ${text} ${errors}`);
      return text;
    },
    getJson: async (path) => (await fetch(url + path)).json() as never,
    async close() {
      streams.close();
      await closeServer(app, 5_000);
    },
  };
}

/** Parses CSV without quoted cells; the header gives the keys. */
export function readCsv(text: string): Record<string, string>[] {
  const [header, ...lines] = text.trimEnd().split('\n');
  const names = header!.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, i) => [name, cells[i]!]));
  });
}
