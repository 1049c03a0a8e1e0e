import type { ChainClient, Header } from '../chain/chainClient.ts';
import type { LogRange } from '../chain/logRange.ts';
import { gridBetween } from '../domain/time.ts';
import type { Queryable } from '../store/store.ts';
import { ticks } from '../store/ticks/ticks.ts';
import { mapAhead } from './ahead.ts';
import { type LogBatch, readLogRanges } from './logRanges.ts';
import { type FamilyReader, joinFilters, type Reader } from './reader.ts';
import { readTicks, type Step, takeLogs } from './step.ts';

export interface BackfillOptions {
  readonly client: ChainClient;
  readonly db: Queryable;
  readonly chainId: number;
  readonly readers: readonly Reader[];
  /** The block before the first to read. */
  readonly after: Header;
  readonly toBlock: number;
  readonly concurrency: number;
  readonly range: { current: LogRange };
  readonly tickSeconds: number;
  /** No family here began before: no ticks are looked for. */
  readonly notBefore: number;
}

/** Steps whose ticks are read while earlier ones are committed. */
const STEPS_AHEAD = 3;

/** Reads blocks that cannot be reorganised any more, as steps in order, several under way at once. */
export async function* readSteps(options: BackfillOptions): AsyncGenerator<Step> {
  const { client, readers, after, toBlock, concurrency, range } = options;
  const filter = joinFilters(readers);
  const fromBlock = after.number + 1;
  const batches = readLogRanges({ client, filter, fromBlock, toBlock, concurrency, range });
  let previous = after;
  yield* mapAhead(batches, STEPS_AHEAD, (batch) => {
    const lo = previous;
    previous = batch.to;
    return readStep(options, batch, lo);
  });
}

/** The logs are taken before anything is awaited, so that the readers see them in order. */
async function readStep(options: BackfillOptions, batch: LogBatch, lo: Header): Promise<Step> {
  const { client, db, chainId, readers, concurrency, tickSeconds, notBefore } = options;
  const { logs, to: hi } = batch;
  const taken = takeLogs(chainId, readers, logs, batch.timeOf);
  const own = readers.filter((reader): reader is FamilyReader => reader.kind === 'family');
  // An instant belongs to the stretch whose blocks prove that its block is the last one before it.
  const [after, until] = [lo.time - 1, hi.time - 1];
  const familyIds = own.map((reader) => reader.familyId);
  const made = until > after ? await ticks.getInstants(db, familyIds, after, until) : [];
  const grid = gridBetween(Math.max(after, notBefore - 1), until, tickSeconds);
  const instants = [...new Set([...grid, ...made])].sort((a, b) => a - b);
  const read = await readTicks({ client, readers: own, instants, lo, hi, concurrency });
  return {
    chainId,
    fromTime: lo.time,
    to: hi,
    readers,
    families: taken.families.map((rows) => ({ ...rows, ticks: read.get(rows.reader) ?? [] })),
    prices: taken.prices,
    logs: logs.length,
  };
}
