import { type DatedBlock, findBlocksAt } from '../../chain/blockSearch.ts';
import type { ChainClient, Header, RawLog } from '../../chain/chainClient.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { ReadTick } from '../../store/ticks/chainTicks.ts';
import type { Detail, Unread } from '../../vaults/kind.ts';
import type { FeedReader, FeedRows, Stretch } from '../feeds/feedReader.ts';
import type { Asking, FamilyReader, Taken } from './familyReader.ts';
import { mapConcurrent } from './prefetch.ts';
import type { Reader } from './reader.ts';
import { readStates } from './stateReads.ts';

/** What one stretch of one chain adds to the store: committed whole or not at all. */
export interface Step {
  readonly chainId: number;
  readonly fromBlock: number;
  /** Time of the block before the stretch; 0 when there is none. */
  readonly fromTime: number;
  readonly to: Header;
  readonly readers: readonly Reader[];
  readonly families: readonly FamilyRows[];
  readonly prices: readonly ({ readonly feed: string } & FeedRows)[];
  readonly logs: number;
}

export interface FamilyRows extends Omit<Taken, 'lastPrice'> {
  readonly reader: FamilyReader;
  readonly ticks: readonly ReadTick[];
  /** The newest block at which its state was asked for and not told; null where all was told. */
  readonly unreadAt: UnreadAt | null;
}

export interface UnreadAt extends Unread {
  readonly block: number;
}

/** What was read of one family at instants. */
export interface FamilyTicks {
  readonly ticks: ReadTick[];
  unreadAt: UnreadAt | null;
  /** Whether nobody keeps the state of some of them: those are left out. */
  isPruned: boolean;
}

/** Logs and ticks of one family; what either lacks is lacking. */
export function joinRows(
  taken: Taken & { readonly reader: FamilyReader },
  ticks: FamilyTicks,
): FamilyRows {
  return { ...taken, ...ticks, isPruned: taken.isPruned || ticks.isPruned };
}

/** Lets every reader take its logs, in order. All are handed over before anything is awaited: the next may follow. */
export async function takeLogs(
  chainId: number,
  readers: readonly Reader[],
  logs: readonly RawLog[],
  times: ReadonlyMap<number, number>,
  stretch: Stretch & Pick<Asking, 'concurrency'>,
) {
  const place = (log: RawLog): LogPlace => ({
    blockTime: times.get(log.blockNumber)!,
    chainId,
    blockNumber: log.blockNumber,
    logIndex: log.logIndex,
  });
  const logsOf = sortOut(logs, readers);
  const families = readers
    .filter((reader): reader is FamilyReader => reader.kind === 'family')
    .map(async (reader) => ({
      reader,
      ...(await reader.take(logsOf.get(reader)!, { ...stretch, place })),
    }));
  const prices = readers
    .filter((reader): reader is FeedReader => reader.kind === 'feed')
    .map(async (reader) => ({
      feed: reader.source.feed.name,
      ...(await reader.take(logsOf.get(reader)!, place, stretch)),
    }));
  const [taken, priced] = await Promise.all([Promise.all(families), Promise.all(prices)]);
  return { families: taken, prices: priced };
}

/** The logs of each reader's contracts, in the order they came. */
function sortOut(
  logs: readonly RawLog[],
  readers: readonly Reader[],
): ReadonlyMap<Reader, readonly RawLog[]> {
  const ofReader = new Map<Reader, RawLog[]>();
  const ofAddress = new Map<string, RawLog[][]>();
  for (const reader of readers) {
    const own: RawLog[] = [];
    ofReader.set(reader, own);
    for (const address of new Set(reader.filter.addresses)) {
      const lists = ofAddress.get(address);
      if (lists === undefined) ofAddress.set(address, [own]);
      else lists.push(own);
    }
  }
  for (const log of logs) for (const own of ofAddress.get(log.address) ?? []) own.push(log);
  return ofReader;
}

export interface TickReads {
  readonly client: ChainClient;
  readonly readers: readonly FamilyReader[];
  readonly instants: readonly number[];
  /** Blocks between which the instants lie. */
  readonly lo: Header;
  readonly hi: Header;
  /** Of blocks between them, by number: what the logs told need not be asked again. */
  readonly times: ReadonlyMap<number, number>;
  readonly concurrency: number;
  /** Instants from here on are of the present, and read in full. */
  readonly fullFrom: number;
}

/**
 * The families' states at the last block of each instant. An instant whose state the node no longer has is
 * left out: without an archive, ticks begin at the first block that can be read.
 */
export async function readTicks(options: TickReads): Promise<Map<FamilyReader, FamilyTicks>> {
  const { client, readers, lo, hi, times, fullFrom } = options;
  const found = new Map<FamilyReader, FamilyTicks>();
  for (const reader of readers) found.set(reader, { ticks: [], unreadAt: null, isPruned: false });
  const instants = options.instants.filter((at) => at >= lo.time);
  if (instants.length === 0 || readers.length === 0) return found;
  const read = (block: DatedBlock, at: number) =>
    readAt(client, readers, block, at >= fullFrom ? 'full' : 'lean');
  // The newest tells whether any can be read: one request is lost, not one per instant.
  const newest = instants.at(-1)!;
  const known = { lo, hi, times };
  const [newestBlock] = await findBlocksAt(client, [newest], known);
  const probe = await read(newestBlock!, newest);
  if (probe === null) {
    for (const [reader, own] of found) own.isPruned = hasStarted(reader, newestBlock!);
    return found;
  }
  const blocks = await findBlocksAt(client, instants, known);
  // Several instants may share a block; its state is the same at each.
  const instantOf = new Map(
    instants.map((at, i) => [blocks[i]!.number, { block: blocks[i]!, at }]),
  );
  instantOf.delete(newestBlock!.number);
  const states = new Map([[newestBlock!.number, probe]]);
  const reads = mapConcurrent(instantOf.values(), options.concurrency, async ({ block, at }) => {
    return { block: block.number, state: await read(block, at) };
  });
  for await (const { block, state } of reads) if (state !== null) states.set(block, state);
  for (const [i, at] of instants.entries()) {
    const { number: block, hash } = blocks[i]!;
    const known = states.get(block);
    if (known === undefined) {
      for (const [reader, own] of found) own.isPruned ||= hasStarted(reader, blocks[i]!);
    }
    for (const [reader, state] of known ?? []) {
      const own = found.get(reader)!;
      own.unreadAt = 'unread' in state ? { block, ...state } : null;
      if (!('unread' in state)) own.ticks.push({ at, block, hash, state });
    }
  }
  return found;
}

function hasStarted(reader: FamilyReader, block: { readonly number: number }): boolean {
  return reader.source.startBlock <= block.number;
}

async function readAt(
  client: ChainClient,
  readers: readonly FamilyReader[],
  { number: block, time }: DatedBlock,
  detail: Detail,
) {
  const started = readers.filter((reader) => hasStarted(reader, { number: block }));
  try {
    const states = await readStates(
      client,
      block,
      started.map((reader) => reader.stateAt(block, time, detail)),
    );
    return started.map((reader, i) => [reader, states[i]!] as const);
  } catch (error) {
    // A block that the node does not know yet it will know soon: that is no missing archive.
    if (error instanceof StateUnavailable && error.reason === 'pruned') return null;
    throw error;
  }
}
