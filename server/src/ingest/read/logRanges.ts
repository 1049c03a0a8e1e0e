import type { ChainClient, Header, LogFilter, RawLog } from '../../chain/chainClient.ts';
import { afterLogs, afterTimeout, afterTooWide, type LogRange } from '../../chain/logRange.ts';
import { RangeTooWide, RpcUnreachable } from '../../chain/rpcError.ts';
import { mapAhead } from './ahead.ts';
import type { JoinedFilter } from './reader.ts';

/** The logs of consecutive blocks, with the header of the last. */
export interface LogBatch {
  readonly fromBlock: number;
  readonly to: Header;
  readonly logs: readonly RawLog[];
  /** Times of the blocks that have logs, by their numbers. */
  readonly times: ReadonlyMap<number, number>;
}

export interface LogRangesOptions {
  readonly client: ChainClient;
  readonly filter: LogFilter & Partial<Pick<JoinedFilter, 'whole'>>;
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly concurrency: number;
  /** Kept by the caller, so that what a node allows is learnt once. */
  readonly range: { current: LogRange };
  /** No batch has more blocks, whatever the node would answer. */
  readonly widest?: number;
}

/** A block that the node itself had reported is not there any more: it lags or was reorganised. */
export class BlockGone extends Error {
  readonly block: number;

  constructor(block: number) {
    super(`block ${block} is not there any more`);
    this.name = 'BlockGone';
    this.block = block;
  }
}

/** So many logs may be under way at once: they are what the memory of a backfill goes to. */
export const LOGS_UNDER_WAY = 2_000;
/** A node that answers no width in time is not to be waited for. */
const MOST_TIMEOUTS = 2;
/** Before the first answer nobody knows how dense the logs are. */
const FIRST_BLOCKS = 250;

/** Reads ranges side by side, as many as the logs' density allows, and yields them in order. */
export async function* readLogRanges(options: LogRangesOptions): AsyncGenerator<LogBatch> {
  const { concurrency, range } = options;
  let logsPerBlock: number | null = null;
  const widest = () => {
    const known = logsPerBlock === null ? FIRST_BLOCKS : Number.POSITIVE_INFINITY;
    return Math.min(range.current.width, options.widest ?? known, known);
  };
  const limit = () => {
    if (logsPerBlock === null) return 1;
    return Math.min(concurrency, Math.floor(LOGS_UNDER_WAY / (logsPerBlock * widest() + 1)));
  };
  const batches = mapAhead(ranges(options, widest), limit, (asked) => readRange(options, asked));
  for await (const parts of batches) {
    for (const batch of parts) {
      const density = batch.logs.length / (batch.to.number - batch.fromBlock + 1);
      logsPerBlock = Math.max(density, (logsPerBlock ?? 0) / 2);
      yield batch;
    }
  }
}

type Range = { fromBlock: number; toBlock: number };

function* ranges({ fromBlock, toBlock }: LogRangesOptions, widest: () => number): Generator<Range> {
  for (let from = fromBlock; from <= toBlock; ) {
    const to = Math.min(toBlock, from + widest() - 1);
    yield { fromBlock: from, toBlock: to };
    from = to + 1;
  }
}

/** One range, in as many parts as the node makes us ask. */
async function readRange(options: LogRangesOptions, asked: Range): Promise<LogBatch[]> {
  const { range } = options;
  const batches: LogBatch[] = [];
  let rest = asked;
  let timeouts = 0;
  while (rest.fromBlock <= asked.toBlock) {
    try {
      const batch = await readBatch(options, rest);
      range.current = afterLogs(range.current, rest, batch.logs.length);
      batches.push(batch);
      rest = { fromBlock: rest.toBlock + 1, toBlock: asked.toBlock };
    } catch (error) {
      const blocks = rest.toBlock - rest.fromBlock + 1;
      // Some nodes never say that a range is too wide: they only take too long.
      const late = error instanceof RpcUnreachable && error.reason === 'timeout';
      if (late && ++timeouts <= MOST_TIMEOUTS && blocks > 1) {
        range.current = afterTimeout(range.current, rest);
      } else if (error instanceof RangeTooWide) {
        range.current = afterTooWide(range.current, rest, error);
      } else {
        throw error;
      }
      const width = Math.min(range.current.width, Math.ceil(blocks / 2));
      rest = { fromBlock: rest.fromBlock, toBlock: rest.fromBlock + width - 1 };
      continue;
    }
    const next = Math.min(asked.toBlock, rest.fromBlock + range.current.width - 1);
    rest = { fromBlock: rest.fromBlock, toBlock: next };
  }
  return batches;
}

async function readBatch({ client, filter }: LogRangesOptions, range: Range): Promise<LogBatch> {
  const [logs, to] = await Promise.all([
    readLogs(client, filter, range),
    client.header(range.toBlock),
  ]);
  if (to === null) throw new BlockGone(range.toBlock);
  return { fromBlock: range.fromBlock, to, logs, times: await blockTimes(client, logs, to) };
}

/** Contracts whose logs are all wanted are asked for apart: of the others most logs would be for nothing. */
async function readLogs(
  client: ChainClient,
  { whole = [], ...filter }: LogRangesOptions['filter'],
  range: Range,
): Promise<readonly RawLog[]> {
  if (whole.length === 0) return client.logs({ ...range, filter });
  const addresses = filter.addresses.filter((address) => !whole.includes(address));
  const [some, all] = await Promise.all([
    client.logs({ ...range, filter: { ...filter, addresses } }),
    client.logs({ ...range, filter: { addresses: whole } }),
  ]);
  if (some.length === 0) return all;
  return [...some, ...all].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

/** From the logs where the node dates them, else from headers. */
export async function blockTimes(
  client: ChainClient,
  logs: readonly RawLog[],
  ...known: readonly Header[]
): Promise<ReadonlyMap<number, number>> {
  const times = new Map(known.map((header) => [header.number, header.time]));
  const missing = new Set<number>();
  for (const log of logs) {
    if (log.blockTime !== null) times.set(log.blockNumber, log.blockTime);
    else if (!times.has(log.blockNumber)) missing.add(log.blockNumber);
  }
  if (missing.size > 0) {
    const numbers = [...missing];
    const headers = await client.headers(numbers);
    for (const [i, header] of headers.entries()) {
      if (header === null) throw new BlockGone(numbers[i]!);
      times.set(header.number, header.time);
    }
  }
  return times;
}
