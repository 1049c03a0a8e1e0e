import type { ChainClient, LogFilter, RawLog } from '../../chain/chainClient.ts';
import { type LogRange, startLogRange, WIDEST } from '../../chain/logRange.ts';
import { HOUR } from '../../domain/time.ts';
import type { Gap } from '../../store/gaps/gaps.ts';
import type { ChainState } from '../chainState.ts';
import { addedIn, type Group } from '../groups.ts';
import { readSteps } from '../read/backfill.ts';
import type { FamilyReader } from '../read/familyReader.ts';
import { instantsToRead } from '../read/instants.ts';
import { type LogBatch, readLogRanges } from '../read/logRanges.ts';
import { findLeftOut, overlapOf, questionOf } from '../read/overlap.ts';
import { joinFilters, type Reader } from '../read/reader.ts';
import { type RecentOptions, readRecent } from '../read/recent.ts';
import type { Step } from '../read/step.ts';
import type { BlockRef } from '../reorg.ts';
import type { FollowerDeps } from './followerDeps.ts';
import { headerOf } from './headerOf.ts';

/** Reads the blocks after a group's checkpoint. All reads share what was learned about log ranges. */
export interface GroupReads {
  /** Reads finalized blocks in steps, until `enough`. */
  past(
    state: ChainState,
    client: ChainClient,
    group: Group,
    toBlock: number,
    enough: () => boolean,
  ): AsyncGenerator<Step>;
  /** Reads a gap of one family up to a finalized block, until `enough`. */
  again(
    client: ChainClient,
    reader: FamilyReader,
    part: { readonly gap: Gap; readonly toBlock: number; readonly enough: () => boolean },
  ): AsyncGenerator<Step>;
  /** Reads only logs, of finalized blocks. */
  logs(
    client: ChainClient,
    filter: LogFilter,
    blocks: { readonly fromBlock: number; readonly toBlock: number },
  ): AsyncGenerator<LogBatch>;
  /** Reads the newest blocks of the ring again. Returns the first that has more logs than before. */
  leftOut(
    state: ChainState,
    client: ChainClient,
    group: Group,
    ring: readonly BlockRef[],
  ): Promise<BlockRef | undefined>;
  /**
   * Reads blocks that a reorg can still replace, in one step that includes the newest ones. Also reads the blocks of
   * the ring again, and throws LogsLeftOut if one of them has more logs than before.
   */
  recent(
    state: ChainState,
    client: ChainClient,
    group: Group,
    stretch: Pick<RecentOptions, 'ring' | 'before' | 'to'>,
  ): Promise<{ step: Step; blocks: readonly BlockRef[] }>;
}

export function createGroupReads(deps: FollowerDeps): GroupReads {
  const { store, chain, ticks } = deps;
  const { chainId, concurrency } = chain;
  /** By URL, because each has its own limits. */
  const ranges = new Map<number, { current: LogRange }>();

  return { past, recent, again, leftOut, logs };

  function rangeOf(client: ChainClient): { current: LogRange } {
    const known = ranges.get(client.upstream);
    if (known !== undefined) return known;
    const limits = deps.upstreams.limitsOf(client);
    let current = startLogRange(chain.logRange, limits.logBlocks);
    const range = {
      get current() {
        return current;
      },
      set current(next: LogRange) {
        current = next;
        // Some ranges have many logs. The limit of a URL is the smallest range that it rejected.
        if (next.cap < WIDEST && next.proven) limits.logBlocks = next.cap;
      },
    };
    ranges.set(client.upstream, range);
    return range;
  }

  async function* past(
    state: ChainState,
    client: ChainClient,
    group: Group,
    toBlock: number,
    enough: () => boolean,
  ): AsyncGenerator<Step> {
    const [after, to] = await Promise.all([
      headerOf(client, group.block),
      headerOf(client, toBlock),
    ]);
    yield* readSteps({
      client: deps.upstreams.deep(client),
      db: store,
      chainId,
      readers: readersOf(state, group),
      after,
      to,
      concurrency,
      range: rangeOf(client),
      tickSeconds: tickSecondsOf(state, group),
      notBefore: startOf(state, group),
      enough,
    });
  }

  async function* again(
    client: ChainClient,
    reader: FamilyReader,
    { gap, toBlock, enough }: Parameters<GroupReads['again']>[2],
  ): AsyncGenerator<Step> {
    const [after, to] = await Promise.all([
      headerOf(client, gap.fromBlock - 1),
      headerOf(client, toBlock),
    ]);
    yield* readSteps({
      client: deps.upstreams.deep(client),
      db: store,
      chainId,
      readers: [reader],
      after,
      to,
      concurrency,
      range: rangeOf(client),
      tickSeconds: gap.initial ? ticks.backfillSeconds : ticks.liveSeconds,
      notBefore: 0,
      enough,
    });
  }

  function logs(
    client: ChainClient,
    filter: LogFilter,
    blocks: { readonly fromBlock: number; readonly toBlock: number },
  ): AsyncGenerator<LogBatch> {
    const deep = deps.upstreams.deep(client);
    return readLogRanges({ client: deep, filter, ...blocks, concurrency, range: rangeOf(client) });
  }

  async function leftOut(
    state: ChainState,
    client: ChainClient,
    group: Group,
    ring: readonly BlockRef[],
  ): Promise<BlockRef | undefined> {
    const filter = joinFilters(readersOf(state, group));
    const range = rangeOf(client);
    const overlap = overlapOf(ring, questionOf(filter), range.current.width);
    if (overlap.length === 0) return undefined;
    const logs: RawLog[] = [];
    const [fromBlock, toBlock] = [overlap[0]!.number, overlap.at(-1)!.number];
    for await (const batch of readLogRanges({
      ...{ client, filter, fromBlock, toBlock, concurrency, range },
    })) {
      for (const log of batch.logs) logs.push(log);
    }
    return findLeftOut(overlap, logs);
  }

  async function recent(
    state: ChainState,
    client: ChainClient,
    group: Group,
    { ring, before, to }: Pick<RecentOptions, 'ring' | 'before' | 'to'>,
  ) {
    const readers = readersOf(state, group);
    const instants = await instantsToRead(store, readers, {
      after: before.time - 1,
      until: to.time - 1,
      tickSeconds: tickSecondsOf(state, group),
      newestOf: ticks.liveSeconds,
      notBefore: startOf(state, group),
    });
    const fullFrom = to.time - HOUR;
    return readRecent({
      client: deps.upstreams.deep(client, { alone: true }),
      chainId,
      readers,
      ring,
      before,
      to,
      range: rangeOf(client),
      concurrency,
      instants,
      fullFrom,
    });
  }

  /** Sources that were at the head keep their tick interval when they catch up, so that the series stays uniform. */
  function tickSecondsOf(state: ChainState, group: Group): number {
    return addedIn(group, state.rows).size > 0 ? ticks.backfillSeconds : ticks.liveSeconds;
  }
}

function readersOf(state: ChainState, group: Group): Reader[] {
  return group.keys.map((key) => state.readers.get(key)!);
}

/** Returns the start time of the first source of the group. The block before can be a genesis block with time 0. */
function startOf(state: ChainState, group: Group): number {
  return Math.min(...group.keys.map((key) => state.rows.get(key)!.startTime ?? 0));
}
