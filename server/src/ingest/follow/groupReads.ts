import type { ChainClient, LogFilter, RawLog } from '../../chain/chainClient.ts';
import { HOUR } from '../../domain/time.ts';
import type { Gap } from '../../store/gaps/gaps.ts';
import type { ChainState } from '../chainState.ts';
import { addedIn, type Group } from '../groups.ts';
import { type BackfillOptions, readSteps } from '../read/backfill.ts';
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
import { createUrlRanges } from './urlRanges.ts';

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
  const rangeOf = createUrlRanges(deps.upstreams, chain.logRange);

  return { past, recent, again, leftOut, logs };

  async function* past(
    state: ChainState,
    client: ChainClient,
    group: Group,
    toBlock: number,
    enough: () => boolean,
  ): AsyncGenerator<Step> {
    const blocks = { after: group.block, to: toBlock };
    yield* steps(client, blocks, {
      readers: readersOf(state, group),
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
    const blocks = { after: gap.fromBlock - 1, to: toBlock };
    yield* steps(client, blocks, {
      readers: [reader],
      tickSeconds: gap.initial ? ticks.backfillSeconds : ticks.liveSeconds,
      notBefore: 0,
      enough,
    });
  }

  /** Reads the finalized blocks after a block. */
  async function* steps(
    client: ChainClient,
    blocks: { readonly after: number; readonly to: number },
    how: Pick<BackfillOptions, 'readers' | 'tickSeconds' | 'notBefore' | 'enough'>,
  ): AsyncGenerator<Step> {
    const [after, to] = await Promise.all([
      headerOf(client, blocks.after),
      headerOf(client, blocks.to),
    ]);
    yield* readSteps({
      client: deps.upstreams.deep(client),
      db: store,
      chainId,
      after,
      to,
      concurrency,
      range: rangeOf(client),
      ...how,
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
