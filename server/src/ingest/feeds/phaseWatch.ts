import type { ChainClient } from '../../chain/chainClient.ts';
import type { Address } from '../../domain/hex.ts';
import type { FeedPhaseRow } from '../../store/prices/feedPhases.ts';
import type { FeedFacts } from './feedFacts.ts';
import { findChanges } from './phases.ts';
import { readFeedWords, unlessPruned } from './proxy.ts';

/** Follows which aggregator answers for a feed, from block to block. */
export interface PhaseWatch {
  /** The phases that began in (from, to], and at the very start also the one in force at `from`. */
  advance(client: ChainClient, from: number, to: number): Promise<FeedPhaseRow[]>;
}

type Phase = Pick<FeedPhaseRow, 'phase' | 'aggregator' | 'decimals'>;

/** `last` is the one in force where the watch begins; null when nobody has looked yet. */
export function createPhaseWatch(
  feed: Address,
  facts: FeedFacts,
  last: FeedPhaseRow | null,
): PhaseWatch {
  const { kind, block: seenAt, decimals } = facts;
  const present: Phase = { phase: facts.phase, aggregator: facts.aggregator, decimals };
  let held = last;

  return {
    async advance(client, from, to) {
      const found = held === null ? [await open(client, from)] : [];
      const before = held ?? found[0]!;
      found.push(...(await changes(client, before, from, to)));
      held = found.at(-1) ?? held;
      return found;
    },
  };

  async function open(client: ChainClient, block: number): Promise<FeedPhaseRow> {
    if (kind === 'aggregator') return located(block, present);
    const seen = await unlessPruned(phaseAt(client, block));
    return seen === 'pruned' ? untold(block) : located(block, seen);
  }

  async function changes(
    client: ChainClient,
    before: FeedPhaseRow,
    from: number,
    to: number,
  ): Promise<FeedPhaseRow[]> {
    if (kind === 'aggregator') return [];
    // A number that is the same later on was the same all the time: nothing need be asked.
    if (kind === 'phased' && to <= seenAt && same(before, present)) return [];
    const end = await unlessPruned(phaseAt(client, to));
    const lost = before.aggregator === null && !before.located;
    if (end === 'pruned') return lost ? [] : [untold(from + 1)];
    const found = { ...end, blockNumber: to, located: false };
    if (lost) return [found];
    const at = (block: number) => phaseAt(client, block);
    const lo = { block: from, value: before };
    const seen = await unlessPruned(findChanges<Phase>(at, same, lo, { block: to, value: end }));
    if (seen !== 'pruned') return seen.map(({ block, value }) => located(block, value));
    return to > from + 1 ? [untold(from + 1), found] : [found];
  }

  /** Without the block's state: a proxy that is still in its first phase never had another. */
  function untold(block: number): FeedPhaseRow {
    if (kind === 'phased' && present.phase === 1) return located(block, present);
    return { blockNumber: block, phase: null, aggregator: null, decimals, located: false };
  }

  async function phaseAt(client: ChainClient, block: number): Promise<Phase> {
    const words = await readFeedWords(client, feed, block);
    const { aggregator } = words;
    if (aggregator === null) return { phase: null, aggregator, decimals };
    // A proxy's decimals are those of the aggregator behind it, and may change with it.
    return { phase: words.phase, aggregator, decimals: words.decimals ?? decimals };
  }
}

function located(blockNumber: number, { phase, aggregator, decimals }: Phase): FeedPhaseRow {
  return { blockNumber, phase, aggregator, decimals, located: true };
}

function same(a: Phase, b: Phase): boolean {
  return a.phase === b.phase && a.aggregator === b.aggregator;
}
