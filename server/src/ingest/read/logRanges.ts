import type { ChainClient, Header, LogFilter, RawLog } from '../../chain/chainClient.ts';
import { afterLogs, afterTimeout, afterTooWide, type LogRange } from '../../chain/logRange.ts';
import { RangeTooWide, RpcUnreachable } from '../../chain/rpcError.ts';
import { pause } from '../../runtime/pause.ts';
import { mapConcurrent } from './prefetch.ts';
import type { JoinedFilter } from './reader.ts';

/** The logs of consecutive blocks. */
export interface LogBatch {
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly logs: readonly RawLog[];
  /** The header of the last block, at which a step may end; only with `dated`. */
  readonly end: Header | null;
  /** Times of the blocks with logs, by block number; empty without `dated`. */
  readonly times: ReadonlyMap<number, number>;
}

export interface LogRangesOptions {
  readonly client: ChainClient;
  readonly filter: LogFilter & Partial<Pick<JoinedFilter, 'whole'>>;
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly concurrency: number;
  /** Held by the caller, so that learned range limits are shared. */
  readonly range: { current: LogRange };
  /** Maximum blocks per batch. A step ends once it has as many. */
  readonly widest?: number;
  /**
   * Also reads block times and the headers at which steps may end. Not needed by callers that read headers themselves.
   */
  readonly dated?: boolean;
}

/** The endpoint no longer has a block that it reported. It lags, or there was a reorg. */
export class BlockGone extends Error {
  readonly block: number;

  constructor(block: number) {
    super(`block ${block} is not there any more`);
    this.name = 'BlockGone';
    this.block = block;
  }
}

/** Maximum number of logs in memory, which dominate the memory of a backfill. */
export const MAX_LOGS_IN_FLIGHT = 2_000;
/** How often a range is narrowed because no response came at all: another URL may respond. */
const MAX_TIMEOUTS = 2;
/** Waits before the range after a reported timeout, which may also be caused by the load; doubles each time. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 1_000;
/** Maximum blocks per read before the density of the logs is known. */
const FIRST_BLOCKS = 250;
/** Minimum size of a step in blocks, or in ranges per concurrent read, because each step needs a header. */
const STEP_BLOCKS = 500;
const STEP_ROUNDS = 2;

/** Reads ranges concurrently, as many as the density of logs allows, and yields them in order. */
export async function* readLogRanges(options: LogRangesOptions): AsyncGenerator<LogBatch> {
  const { concurrency, range } = options;
  let logsPerBlock: number | null = null;
  const widest = () => {
    const known = logsPerBlock === null ? FIRST_BLOCKS : Number.POSITIVE_INFINITY;
    return Math.min(range.current.width, options.widest ?? known, known);
  };
  const limit = () => {
    if (logsPerBlock === null) return 1;
    return Math.min(concurrency, Math.floor(MAX_LOGS_IN_FLIGHT / (logsPerBlock * widest() + 1)));
  };
  const stepBlocks = () => {
    const byLogs = MAX_LOGS_IN_FLIGHT / Math.max(logsPerBlock ?? 0, 1e-9);
    return Math.min(STEP_BLOCKS, options.widest ?? STEP_BLOCKS, byLogs);
  };
  const asked = ranges(options, widest, stepBlocks);
  const batches = mapConcurrent(asked, limit, (one) => readRange(options, one));
  for await (const parts of batches) {
    for (const batch of parts) {
      const density = batch.logs.length / (batch.toBlock - batch.fromBlock + 1);
      logsPerBlock = Math.max(density, (logsPerBlock ?? 0) / 2);
      yield batch;
    }
  }
}

type Range = { fromBlock: number; toBlock: number };
/** `ends`: whether a step may end with this batch. */
type AskedRange = Range & { readonly ends: boolean };

function* ranges(
  { fromBlock, toBlock, concurrency, dated = false }: LogRangesOptions,
  widest: () => number,
  stepBlocks: () => number,
): Generator<AskedRange> {
  let step = { blocks: 0, ranges: 0 };
  for (let from = fromBlock; from <= toBlock; ) {
    const to = Math.min(toBlock, from + widest() - 1);
    step = { blocks: step.blocks + to - from + 1, ranges: step.ranges + 1 };
    const enough = step.blocks >= stepBlocks() || step.ranges >= STEP_ROUNDS * concurrency;
    const ends = dated && (enough || to === toBlock);
    yield { fromBlock: from, toBlock: to, ends };
    if (ends) step = { blocks: 0, ranges: 0 };
    from = to + 1;
  }
}

/** Reads one range, split as far as the endpoint requires. */
async function readRange(options: LogRangesOptions, asked: AskedRange): Promise<LogBatch[]> {
  const { range } = options;
  const batches: LogBatch[] = [];
  let rest: Range = { fromBlock: asked.fromBlock, toBlock: asked.toBlock };
  let timeouts = 0;
  while (rest.fromBlock <= asked.toBlock) {
    try {
      const batch = await readBatch(options, rest, asked.ends && rest.toBlock === asked.toBlock);
      range.current = afterLogs(range.current, rest, batch.logs.length);
      batches.push(batch);
      rest = { fromBlock: rest.toBlock + 1, toBlock: asked.toBlock };
    } catch (error) {
      const blocks = rest.toBlock - rest.fromBlock + 1;
      // Some endpoints time out instead of rejecting a wide range.
      if (error instanceof RpcUnreachable && error.isTimeout && blocks > 1) {
        range.current = afterTimeout(range.current, rest);
        const isReported = error.reason === 'server-timeout';
        if (++timeouts > MAX_TIMEOUTS && !isReported) throw error;
        if (isReported) await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** timeouts));
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

async function readBatch(
  { client, filter, dated = false }: LogRangesOptions,
  range: Range,
  ends: boolean,
): Promise<LogBatch> {
  const [logs, end] = await Promise.all([
    readLogs(client, filter, range),
    ends ? client.header(range.toBlock) : null,
  ]);
  if (ends && end === null) throw new BlockGone(range.toBlock);
  const times = dated ? await blockTimes(client, logs, ...(end === null ? [] : [end])) : NO_TIMES;
  return { ...range, logs, end, times };
}

const NO_TIMES: ReadonlyMap<number, number> = new Map();

/**
 * Reads contracts whose logs are all needed with a separate filter, so that no unneeded logs of others are returned.
 */
export async function readLogs(
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

/** Returns block times from the logs if the endpoint includes them, else from headers. */
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
