import type { ChainClient } from '../../chain/chainClient.ts';
import type { Address } from '../../domain/hex.ts';
import type { FeedPhaseRow } from '../../store/prices/feedPhases.ts';
import type { FeedFacts } from './feedFacts.ts';
import { findChanges } from './phases.ts';
import { readFeedWords, unlessPruned } from './proxy.ts';

/** Follows which aggregator serves a feed, from block to block. */
export interface PhaseWatch {
  /** Returns the phases that began in (from, to]. The first call also returns the one in force at `from`. */
  advance(client: ChainClient, from: number, to: number): Promise<FeedPhaseRow[]>;
}

type Phase = Pick<FeedPhaseRow, 'phase' | 'aggregator' | 'decimals'>;

/** `last`: the phase in force where the watch begins; null if unknown. */
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
    return seen === 'pruned' ? unlocated(block) : located(block, seen);
  }

  async function changes(
    client: ChainClient,
    before: FeedPhaseRow,
    from: number,
    to: number,
  ): Promise<FeedPhaseRow[]> {
    if (kind === 'aggregator') return [];
    // An equal phase number means that no phase began in between.
    if (kind === 'phased' && to <= seenAt && same(before, present)) return [];
    const end = await unlessPruned(phaseAt(client, to));
    const lost = before.aggregator === null && !before.located;
    if (end === 'pruned') return lost ? [] : [unlocated(from + 1)];
    const found = { ...end, blockNumber: to, located: false };
    if (lost) return [found];
    const at = (block: number) => phaseAt(client, block);
    const lo = { block: from, value: before };
    const seen = await unlessPruned(findChanges<Phase>(at, same, lo, { block: to, value: end }));
    if (seen !== 'pruned') return seen.map(({ block, value }) => located(block, value));
    return to > from + 1 ? [unlocated(from + 1), found] : [found];
  }

  /** Called without the state of the block. A proxy that is still in its first phase never had another one. */
  function unlocated(block: number): FeedPhaseRow {
    if (kind === 'phased' && present.phase === 1) return located(block, present);
    return { blockNumber: block, phase: null, aggregator: null, decimals, located: false };
  }

  async function phaseAt(client: ChainClient, block: number): Promise<Phase> {
    const words = await readFeedWords(client, feed, block);
    const { aggregator } = words;
    if (aggregator === null) return { phase: null, aggregator, decimals };
    // A proxy returns the decimals of its aggregator, which can change with it.
    return { phase: words.phase, aggregator, decimals: words.decimals ?? decimals };
  }
}

function located(blockNumber: number, { phase, aggregator, decimals }: Phase): FeedPhaseRow {
  return { blockNumber, phase, aggregator, decimals, located: true };
}

function same(a: Phase, b: Phase): boolean {
  return a.phase === b.phase && a.aggregator === b.aggregator;
}
