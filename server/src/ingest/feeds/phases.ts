import type { Address } from '../../domain/hex.ts';
import type { FeedPhaseRow } from '../../store/prices/feedPhases.ts';
import type { PriceRow } from '../../store/prices/prices.ts';
import type { FeedAnswer } from './proxy.ts';

/** After every log of its block: what the feed answers at a block's end. */
const BLOCK_END = 2 ** 31 - 1;

export interface Answer extends FeedAnswer {
  readonly address: Address;
  readonly chainId: number;
  readonly blockNumber: number;
  readonly blockTime: number;
  readonly logIndex: number;
}

/** What the feed itself returned at the end of a block in which a phase began; null: no answer. */
export interface Opening {
  readonly answer: FeedAnswer | null;
  readonly phase: FeedPhaseRow;
  readonly chainId: number;
  readonly blockTime: number;
}

/**
 * Returns the answers that were the feed's own. An aggregator serves the feed from the block after the one in which its
 * phase began, until the next phase. In the block of the change, only the state at its end counts, which is the opening
 * answer.
 */
export function answersInForce(
  feed: Address,
  phases: readonly FeedPhaseRow[],
  answers: readonly Answer[],
): PriceRow[] {
  const rows: PriceRow[] = [];
  for (const answer of answers) {
    const phase = phases.findLast(({ blockNumber }) => blockNumber <= answer.blockNumber);
    if (phase === undefined || phase.blockNumber === answer.blockNumber) continue;
    if (phase.aggregator === null) continue;
    if (answer.address !== phase.aggregator && answer.address !== feed) continue;
    const { value, updatedAt, chainId, blockNumber, blockTime, logIndex } = answer;
    const place = { at: blockTime, chainId, blockNumber, logIndex };
    rows.push({
      ...place,
      value,
      updatedAt: Math.min(updatedAt, blockTime),
      decimals: phase.decimals,
    });
  }
  return rows;
}

/**
 * Returns the price with which a phase begins: the last answer of its aggregator, however old. Without one, the price
 * ends.
 */
export function priceAtOpening({ answer, phase, chainId, blockTime }: Opening): PriceRow {
  const { blockNumber, decimals } = phase;
  const place = { at: blockTime, chainId, blockNumber, logIndex: BLOCK_END };
  if (answer === null) return { ...place, value: null, updatedAt: blockTime, decimals };
  // Caps a time in the future at the time of the block. Otherwise the answer would never be too old.
  return {
    ...place,
    value: answer.value,
    updatedAt: Math.min(answer.updatedAt, blockTime),
    decimals,
  };
}

/** Returns the error for status if an aggregator could not be determined. */
export function unlocatedText(
  key: string,
  chainId: number,
  phases: readonly FeedPhaseRow[],
): string | null {
  const first = phases.findIndex(({ located }) => !located);
  if (first < 0) return null;
  const from = phases[first]!;
  const until = phases
    .slice(first)
    .findLast(({ located, aggregator }) => !located && aggregator !== null);
  const where =
    until === undefined ? `from block ${from.blockNumber} on` : `before block ${until.blockNumber}`;
  return `${key} on chain ${chainId}: its aggregator has changed, and the one ${where} is unknown, because the RPC endpoint has no state of those blocks; they have no USD price until the chain has an archive node`;
}

export type Seen<T> = { readonly block: number; readonly value: T };

/**
 * Finds the blocks after `lo`, up to `hi`, whose value differs from the block before, by bisection. Complete if values
 * never return; a range with equal ends counts as unchanged.
 */
export async function findChanges<T>(
  at: (block: number) => Promise<T>,
  same: (a: T, b: T) => boolean,
  lo: Seen<T>,
  hi: Seen<T>,
): Promise<Seen<T>[]> {
  if (same(lo.value, hi.value)) return [];
  if (hi.block - lo.block <= 1) return [hi];
  const block = Math.floor((lo.block + hi.block) / 2);
  const middle = { block, value: await at(block) };
  return [
    ...(await findChanges(at, same, lo, middle)),
    ...(await findChanges(at, same, middle, hi)),
  ];
}
