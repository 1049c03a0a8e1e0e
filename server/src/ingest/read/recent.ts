import type { ChainClient, Header, RawLog } from '../../chain/chainClient.ts';
import type { LogRange } from '../../chain/logRange.ts';
import type { Hex } from '../../domain/hex.ts';
import { type BlockRef, linked } from '../reorg.ts';
import type { FamilyReader } from './familyReader.ts';
import { blockTimes, readLogRanges } from './logRanges.ts';
import { findLeftOut, LogsLeftOut, overlapOf, questionOf, withLogs } from './overlap.ts';
import { joinFilters, type Reader } from './reader.ts';
import { joinRows, readTicks, type Step, takeLogs } from './step.ts';

/** The chain changed while it was read. Nothing of the range can be trusted: read it again. */
export class MovedWhileRead extends Error {
  constructor() {
    super('a reorg happened while the chain was read');
    this.name = 'MovedWhileRead';
  }
}

/** Number of newest blocks that are remembered individually, so that a reorg among them is located exactly. */
export const DENSE_BLOCKS = 128;

export interface RecentOptions {
  readonly client: ChainClient;
  readonly chainId: number;
  readonly readers: readonly Reader[];
  /** Remembered blocks that end with the block before; empty if nothing is read again. */
  readonly ring: readonly BlockRef[];
  readonly before: BlockRef;
  readonly to: Header;
  readonly range: { current: LogRange };
  readonly concurrency: number;
  readonly instants: readonly number[];
  readonly fullFrom: number;
}

/**
 * Reads a range above finality. Headers are read after the logs: if they link the block before to the head, the entire
 * range is of one chain. States are read before the headers, or the last header is read again after them. Throws
 * LogsLeftOut if earlier blocks have logs that were missing when they were read.
 */
export async function readRecent(
  options: RecentOptions,
): Promise<{ step: Step; blocks: readonly BlockRef[] }> {
  const { client, chainId, readers, before, to, range, concurrency } = options;
  const filter = joinFilters(readers);
  const question = questionOf(filter);
  const room = range.current.width - (to.number - before.number);
  const overlap = overlapOf(options.ring, question, room);
  const fromBlock = overlap[0]?.number ?? before.number + 1;
  const all: RawLog[] = [];
  for await (const batch of readLogRanges({
    client,
    filter,
    fromBlock,
    toBlock: to.number,
    concurrency,
    range,
  })) {
    for (const log of batch.logs) all.push(log);
  }
  const leftOut = findLeftOut(overlap, all);
  if (leftOut !== undefined) throw new LogsLeftOut(leftOut.number);
  const logs = all.filter(({ blockNumber }) => blockNumber > before.number);
  const dated = logs.every(({ blockTime }) => blockTime !== null);
  // Read headers first if the logs need them for their times, or if only they prove that the range follows the block
  // before.
  const proven = to.number === before.number + 1 && to.parentHash === before.hash;
  const early = dated && proven ? null : await readLinked(client, before, to, logs);
  const times = await blockTimes(client, logs, ...(early ?? []), to);
  const taken = await takeLogs(chainId, readers, logs, times, {
    client,
    to,
    filter,
    concurrency,
  });
  const own = readers.filter((reader): reader is FamilyReader => reader.kind === 'family');
  const lo: Header = { ...before, hash: before.hash as Hex, parentHash: before.hash as Hex };
  const read = await readTicks({
    client,
    readers: own,
    instants: options.instants,
    lo,
    hi: to,
    times,
    concurrency,
    fullFrom: options.fullFrom,
  });
  const asks = readers.some((reader) => reader.kind === 'feed' && reader.asks);
  const asked = asks || logs.length > 0 || options.instants.length > 0;
  if (early !== null && asked) await confirm(client, to);
  const headers = early ?? (await readLinked(client, before, to, logs));
  return {
    blocks: withLogs(headers, logs, question),
    step: {
      chainId,
      fromBlock: before.number + 1,
      fromTime: before.time,
      to,
      readers,
      families: taken.families.map((rows) => joinRows(rows, read.get(rows.reader)!)),
      prices: taken.prices,
      logs: logs.length,
    },
  };
}

/** Reads the newest headers of the range, linked up to its end. */
async function readLinked(
  client: ChainClient,
  before: BlockRef,
  to: Header,
  logs: readonly RawLog[],
): Promise<Header[]> {
  const headers = await readDense(client, before, to);
  const hashes = new Map(headers.map((header) => [header.number, header.hash]));
  if (logs.some((log) => (hashes.get(log.blockNumber) ?? log.blockHash) !== log.blockHash)) {
    throw new MovedWhileRead();
  }
  return headers;
}

/** Checks that the chain still has the end of the range, so that reads after the headers are of the same chain. */
async function confirm(client: ChainClient, to: Header): Promise<void> {
  const now = await client.header(to.number);
  if (now?.hash !== to.hash) throw new MovedWhileRead();
}

async function readDense(client: ChainClient, before: BlockRef, to: Header): Promise<Header[]> {
  const first = Math.max(before.number + 1, to.number - DENSE_BLOCKS + 1);
  const numbers = Array.from({ length: to.number - first + 1 }, (_, i) => first + i);
  // After a gap, also read the block before, because no parent hash proves it.
  const gap = first > before.number + 1;
  const asked = gap ? [before.number, ...numbers] : numbers;
  const answers = await client.headers(asked);
  const headers = answers.filter((header) => header !== null);
  if (headers.length < asked.length) throw new MovedWhileRead();
  if (gap && headers.shift()!.hash !== before.hash) throw new MovedWhileRead();
  if (!linked(before, headers, to)) throw new MovedWhileRead();
  return headers;
}
