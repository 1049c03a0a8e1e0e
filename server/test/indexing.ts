import type { Config } from '../src/config/config.ts';
import { createIndexer } from '../src/ingest/indexer.ts';
import type { IngestLog } from '../src/ingest/ingestLog.ts';
import { type ChainRow, chains } from '../src/store/chains/chains.ts';
import type { Store } from '../src/store/store.ts';

/** An indexer in this process on local chains. */
export interface Indexing {
  readonly store: Store;
  /** Waits until the chains' rows satisfy `done`; fails after `seconds` and shows the rows. */
  until(
    done: (rows: readonly ChainRow[]) => boolean | Promise<boolean>,
    seconds?: number,
  ): Promise<void>;
  stop(): Promise<void>;
}

const QUIET: IngestLog = { info() {}, warn() {}, error() {} };
const now = () => Math.floor(Date.now() / 1000);

export function startIndexing(store: Store, config: Config, log: IngestLog = QUIET): Indexing {
  const stopping = new AbortController();
  const indexer = createIndexer({ config, store, log, now });
  const running = indexer.run(stopping.signal);
  let failure: unknown;
  running.catch((error: unknown) => {
    failure = error;
  });
  return {
    store,
    async until(done, seconds = 60) {
      const end = performance.now() + seconds * 1000;
      for (;;) {
        if (failure !== undefined) throw failure;
        const rows = await chains.getAll(store);
        if (await done(rows)) return;
        if (performance.now() > end) throw new Error(`still not there: ${JSON.stringify(rows)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Returns a check that every configured chain is live at `heads`. */
export function liveAt(heads: ReadonlyMap<number, number>) {
  return (rows: readonly ChainRow[]) =>
    [...heads].every(([chainId, head]) => {
      const row = rows.find((one) => one.chainId === chainId);
      return row?.state === 'live' && row.indexedBlock === head;
    });
}
