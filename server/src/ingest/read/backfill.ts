import type { ChainClient, Header, LogFilter } from '../../chain/chainClient.ts';
import type { LogRange } from '../../chain/logRange.ts';
import type { Queryable } from '../../store/store.ts';
import type { FamilyReader } from './familyReader.ts';
import { instantsToRead } from './instants.ts';
import { BlockGone, type LogBatch, MAX_LOGS_IN_FLIGHT, readLogRanges } from './logRanges.ts';
import { mapConcurrent } from './prefetch.ts';
import { joinFilters, type Reader } from './reader.ts';
import { joinRows, readTicks, type Step, takeLogs } from './step.ts';

export interface BackfillOptions {
  readonly client: ChainClient;
  readonly db: Queryable;
  readonly chainId: number;
  readonly readers: readonly Reader[];
  /** The block before the first to read. */
  readonly after: Header;
  readonly to: Header;
  readonly concurrency: number;
  readonly range: { current: LogRange };
  readonly tickSeconds: number;
  /** Before this time no family had begun, so no ticks are read. */
  readonly notBefore: number;
  /** Once it returns true, no further range is started. Ranges in progress are completed. */
  readonly enough?: () => boolean;
}

/** Maximum number of steps whose ticks are read while earlier ones are committed; fewer if they are large. */
const STEPS_AHEAD = 3;
/** Approximate maximum of ticks per step, so that a step stays short on chains with rare blocks. */
const TICKS_PER_STEP = 100;

/** Reads finalized blocks as steps in order, several concurrently. */
export async function* readSteps(options: BackfillOptions): AsyncGenerator<Step> {
  const { client, readers, after, to, concurrency, range } = options;
  const filter = joinFilters(readers);
  const fromBlock = after.number + 1;
  const toBlock = to.number;
  const blockSeconds = Math.max(1e-3, (to.time - after.time) / (to.number - after.number));
  const widest = Math.max(1, Math.floor((TICKS_PER_STEP * options.tickSeconds) / blockSeconds));
  const asked = { client, filter, fromBlock, toBlock, concurrency, range, widest, dated: true };
  const batches = joined(client, readLogRanges(asked), options.enough);
  let previous = after;
  let largest = 0;
  const limit = () => Math.min(STEPS_AHEAD, Math.floor(MAX_LOGS_IN_FLIGHT / (largest + 1)));
  yield* mapConcurrent(batches, limit, (batch) => {
    const lo = previous;
    previous = batch.to;
    largest = Math.max(batch.logs.length, largest / 2);
    return readStep(options, batch, lo, filter);
  });
}

/** The logs of one step, with the header of its last block. */
type StepLogs = Pick<LogBatch, 'logs' | 'times'> & { readonly to: Header };

/**
 * Combines several narrow ranges into one step. Stops on `enough` before the readers take logs, because logs that were
 * taken must be committed.
 */
async function* joined(
  client: ChainClient,
  batches: AsyncGenerator<LogBatch>,
  enough = () => false,
): AsyncGenerator<StepLogs> {
  let parts: LogBatch[] = [];
  for await (const batch of batches) {
    parts.push(batch);
    const isEnough = enough();
    if (batch.end === null && !isEnough) continue;
    const to = batch.end ?? (await client.header(batch.toBlock));
    if (to === null) throw new BlockGone(batch.toBlock);
    yield parts.length === 1 ? { ...batch, to } : { ...together(parts), to };
    if (isEnough) return;
    parts = [];
  }
}

function together(parts: readonly LogBatch[]): Pick<LogBatch, 'logs' | 'times'> {
  return {
    logs: parts.flatMap(({ logs }) => logs),
    times: new Map(parts.flatMap(({ times }) => [...times])),
  };
}

/** Passes the logs to the readers before it awaits anything, so that they see them in order. */
async function readStep(
  options: BackfillOptions,
  batch: StepLogs,
  lo: Header,
  filter: LogFilter,
): Promise<Step> {
  const { client, db, chainId, readers, concurrency, tickSeconds, notBefore } = options;
  const { logs, to: hi } = batch;
  const stretch = { client, to: hi, filter, concurrency };
  const taken = await takeLogs(chainId, readers, logs, batch.times, stretch);
  const own = readers.filter((reader): reader is FamilyReader => reader.kind === 'family');
  // An instant belongs to the range whose blocks prove that its block is the last one before it.
  const span = { after: lo.time - 1, until: hi.time - 1, tickSeconds, notBefore };
  const instants = await instantsToRead(db, readers, span);
  const read = await readTicks({
    client,
    readers: own,
    instants,
    lo,
    hi,
    times: batch.times,
    concurrency,
    fullFrom: Number.POSITIVE_INFINITY,
  });
  return {
    chainId,
    fromBlock: lo.number + 1,
    fromTime: lo.time,
    to: hi,
    readers,
    families: taken.families.map((rows) => joinRows(rows, read.get(rows.reader)!)),
    prices: taken.prices,
    logs: logs.length,
  };
}
