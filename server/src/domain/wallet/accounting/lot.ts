import type { Move } from '../position.ts';

/** A movement with its time, the earliest first. */
export interface DatedMove extends Move {
  readonly at: number;
}

/** Shares that came in together, as far as they have not left. */
export interface Lot<M extends DatedMove = DatedMove> {
  /** Counts the lots of a wallet in a family from 0, the oldest first. */
  readonly number: number;
  /** The movement that opened it. */
  readonly opened: M;
  readonly shares: bigint;
  readonly cost: bigint;
}

/** What left of one lot. */
export interface LotPart<M extends DatedMove = DatedMove> {
  /** Null for shares that came in before the first block that was read. */
  readonly lot: Pick<Lot<M>, 'number' | 'opened'> | null;
  readonly shares: bigint;
  readonly cost: bigint;
  /** Its part of the assets received; 0 for shares sent. */
  readonly assets: bigint;
}

/** Splits an amount in proportion to weights: the parts add up to it exactly. Without any weight, the last has all of it. */
export function split(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  let [passed, given] = [0n, 0n];
  return weights.map((weight, index) => {
    passed += weight;
    const isLast = index === weights.length - 1;
    // Rounded on the running sum, so that no part is off by more than one unit.
    const upTo = isLast ? amount : total === 0n ? 0n : (amount * passed) / total;
    const part = upTo - given;
    given = upTo;
    return part;
  });
}
