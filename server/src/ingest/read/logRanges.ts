import type { ChainClient, Header, LogFilter, RawLog } from '../../chain/chainClient.ts';
import { afterLogs, afterTimeout, afterTooWide, type LogRange } from '../../chain/logRange.ts';
import { RangeTooWide, RpcUnreachable } from '../../chain/rpcError.ts';
import { mapConcurrent } from './prefetch.ts';
import type { JoinedFilter } from './reader.ts';

/** The logs of consecutive blocks. */
export interface LogBatch {
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly logs: readonly RawLog[];
  /** Of the last block, where a step may end; only with `dated`. */
  readonly end: Header | null;
  /** Times of the blocks that have logs, by their numbers; empty without `dated`. */
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
  /** No batch has more blocks, whatever the node would answer; a step ends once it has as many. */
  readonly widest?: number;
  /** With the times of blocks and the headers at which steps may end. Whoever reads headers anyway does without. */
  readonly dated?: boolean;
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
const MAX_TIMEOUTS = 2;
/** Before the first answer nobody knows how dense the logs are. */
const FIRST_BLOCKS = 250;
/** A step has at least so many blocks, or ranges for each that is read at once: each step takes a header of its own. */
const STEP_BLOCKS = 500;
const STEP_ROUNDS = 2;

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
  const stepBlocks = () => {
    const byLogs = LOGS_UNDER_WAY / Math.max(logsPerBlock ?? 0, 1e-9);
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
/** `ends`: whether a step may end with it. */
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

/** One range, in as many parts as the node makes us ask. */
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
      // Some nodes never say that a range is too wide: they only take too long.
      const late = error instanceof RpcUnreachable && error.reason === 'timeout';
      if (late && ++timeouts <= MAX_TIMEOUTS && blocks > 1) {
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
