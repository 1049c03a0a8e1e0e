import type { ChainClient, Header, RawLog } from '../../chain/chainClient.ts';
import type { LogRange } from '../../chain/logRange.ts';
import type { Hex } from '../../domain/hex.ts';
import { type BlockRef, linked } from '../reorg.ts';
import type { FamilyReader } from './familyReader.ts';
import { blockTimes, readLogRanges } from './logRanges.ts';
import { findLeftOut, LogsLeftOut, overlapOf, questionOf, withLogs } from './overlap.ts';
import { joinFilters, type Reader } from './reader.ts';
import { joinRows, readTicks, type Step, takeLogs } from './step.ts';

/** The chain moved while it was read: nothing of the stretch can be trusted. Read it again. */
export class MovedWhileRead extends Error {
  constructor() {
    super('the chain was reorganised while it was read');
    this.name = 'MovedWhileRead';
  }
}

/** So many newest blocks are remembered one by one: a reorganisation among them is placed exactly. */
export const DENSE_BLOCKS = 128;

export interface RecentOptions {
  readonly client: ChainClient;
  readonly chainId: number;
  readonly readers: readonly Reader[];
  /** Blocks that are remembered, the last of them the one before; none where nothing is read again. */
  readonly ring: readonly BlockRef[];
  readonly before: BlockRef;
  readonly to: Header;
  readonly range: { current: LogRange };
  readonly concurrency: number;
  readonly instants: readonly number[];
  readonly fullFrom: number;
}

/**
 * Reads a stretch whose blocks may still be taken back. Its headers are read after its logs: when they link up from the
 * block before to the head that was seen first, all of it is of one chain. They are read after its states too, or else the
 * last one once more. Throws LogsLeftOut
 * when blocks before it have logs that were not there when they were read.
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
  // Headers come before anything is made of the logs where they date them, or where only they prove that the chain goes on
  // from the block before.
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

/** The newest headers of the stretch, linked up to its end. */
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

/** What was read after the headers is of the same chain when that still has its end. */
async function confirm(client: ChainClient, to: Header): Promise<void> {
  const now = await client.header(to.number);
  if (now?.hash !== to.hash) throw new MovedWhileRead();
}

async function readDense(client: ChainClient, before: BlockRef, to: Header): Promise<Header[]> {
  const first = Math.max(before.number + 1, to.number - DENSE_BLOCKS + 1);
  const numbers = Array.from({ length: to.number - first + 1 }, (_, i) => first + i);
  // Behind a gap the block before is asked for too: no parent hash vouches for it.
  const gap = first > before.number + 1;
  const asked = gap ? [before.number, ...numbers] : numbers;
  const answers = await client.headers(asked);
  const headers = answers.filter((header) => header !== null);
  if (headers.length < asked.length) throw new MovedWhileRead();
  if (gap && headers.shift()!.hash !== before.hash) throw new MovedWhileRead();
  if (!linked(before, headers, to)) throw new MovedWhileRead();
  return headers;
}
