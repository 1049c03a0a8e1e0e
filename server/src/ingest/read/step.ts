import { type DatedBlock, findBlocksAt } from '../../chain/blockSearch.ts';
import type { ChainClient, Header, RawLog } from '../../chain/chainClient.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { ReadTick } from '../../store/ticks/chainTicks.ts';
import type { Detail, Unread } from '../../vaults/kind.ts';
import type { FeedReader, FeedRows, Stretch } from '../feeds/feedReader.ts';
import type { Asking, Taken } from './familyLogs.ts';
import type { FamilyReader } from './familyReader.ts';
import { mapConcurrent } from './prefetch.ts';
import type { Reader } from './reader.ts';
import { readStates } from './stateReads.ts';

/** Rows that one range of a chain adds to the store, committed in one transaction. */
export interface Step {
  readonly chainId: number;
  readonly fromBlock: number;
  /** Time of the block before the range; 0 if there is none. */
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
  /** The newest block whose state was requested and could not be read; null if all were read. */
  readonly unreadAt: UnreadAt | null;
}

export interface UnreadAt extends Unread {
  readonly block: number;
}

/** States of one family at instants. */
export interface FamilyTicks {
  readonly ticks: ReadTick[];
  unreadAt: UnreadAt | null;
  /** Whether no endpoint has the state of some instants, which are then missing. */
  isPruned: boolean;
}

/** Logs and ticks of one family, combined. */
export function joinRows(
  taken: Taken & { readonly reader: FamilyReader },
  ticks: FamilyTicks,
): FamilyRows {
  return { ...taken, ...ticks, isPruned: taken.isPruned || ticks.isPruned };
}

/** Passes the logs to every reader in order, before anything is awaited, because the next range may follow. */
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

/** Groups the logs by the contracts of each reader, in their order. */
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
  /** Blocks that enclose the instants. */
  readonly lo: Header;
  readonly hi: Header;
  /** Known blocks between them, by number, so that they are not read again. */
  readonly times: ReadonlyMap<number, number>;
  readonly concurrency: number;
  /** Instants from here on are current, and read in full. */
  readonly fullFrom: number;
}

/**
 * Reads the states of the families at the last block of each instant. Omits instants whose state the endpoint no longer
 * has: without an archive, ticks begin at the first block that can be read.
 */
export async function readTicks(options: TickReads): Promise<Map<FamilyReader, FamilyTicks>> {
  const { client, readers, lo, hi, times, fullFrom } = options;
  const found = new Map<FamilyReader, FamilyTicks>();
  for (const reader of readers) found.set(reader, { ticks: [], unreadAt: null, isPruned: false });
  const instants = options.instants.filter((at) => at >= lo.time);
  if (instants.length === 0 || readers.length === 0) return found;
  const read = (block: DatedBlock, at: number) =>
    readAt(client, readers, block, at >= fullFrom ? 'full' : 'lean');
  // The newest instant shows whether any can be read, so one call is wasted, not one per instant.
  const newest = instants.at(-1)!;
  const known = { lo, hi, times };
  const [newestBlock] = await findBlocksAt(client, [newest], known);
  const probe = await read(newestBlock!, newest);
  if (probe === null) {
    for (const [reader, own] of found) own.isPruned = hasStarted(reader, newestBlock!);
    return found;
  }
  const blocks = await findBlocksAt(client, instants, known);
  // Instants in the same block share its state.
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
    // The endpoint will have this block soon, so its missing state is not a pruned one.
    if (error instanceof StateUnavailable && error.reason === 'pruned') return null;
    throw error;
  }
}
