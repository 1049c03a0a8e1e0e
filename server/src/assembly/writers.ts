import type { Log } from '../cli/log.ts';
import type { Config } from '../config/config.ts';
import type { Indexer } from '../ingest/indexer.ts';
import { runRisk } from '../risk/import/riskLoop.ts';
import { pause } from '../runtime/pause.ts';
import { unixTime } from '../runtime/unixTime.ts';
import type { FreeSpace } from '../store/freeSpace.ts';
import type { Store } from '../store/store.ts';

/** Maximum time that the risk graph waits for the chains. */
const CHAINS_FIRST_MS = 3_000;

/** Runs the indexer and the risk graph until the signal, but not while the disk is almost full. */
export async function runWriters(deps: {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly indexer: Pick<Indexer, 'run' | 'caughtUp'>;
  readonly room: FreeSpace | undefined;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { config, store, log, indexer, room } = deps;
  while (!deps.signal.aborted) {
    await room?.untilEnough(deps.signal);
    const signal = room ? AbortSignal.any([deps.signal, room.low()]) : deps.signal;
    await Promise.all([
      indexer.run(signal),
      // Both are busiest in an empty store, and the data of the chains is more urgent.
      Promise.race([indexer.caughtUp, pause(CHAINS_FIRST_MS, signal)]).then(() =>
        runRisk({ config, store, log, now: unixTime, signal }),
      ),
    ]);
  }
}
