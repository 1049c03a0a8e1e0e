import { mulDivDown } from '../amount.ts';
import type { Movement } from './movement.ts';

/** A wallet's stake in a family over all chains, at average cost. */
export interface Position {
  readonly shares: bigint;
  /** The same chain by chain: a share may be worth another amount on each. */
  readonly sharesOn: SharesByChain;
  readonly cost: bigint;
  readonly realized: bigint;
}

export type SharesByChain = ReadonlyMap<number, bigint>;

export const EMPTY_POSITION: Position = {
  shares: 0n,
  sharesOn: new Map(),
  cost: 0n,
  realized: 0n,
};

/** What of a movement a position depends on. */
export type Move = Pick<Movement, 'kind' | 'shares' | 'assets'> & { readonly chainId: number };

/** The position after one more movement, at average cost; movements come in the order of their places. */
export function moved(position: Position, move: Move): Position {
  return movedAtCost(position, move, comesIn(move) ? 0n : costOfShares(position, move.shares));
}

/** Whether the wallet gains shares by it. */
export function comesIn({ kind }: Pick<Move, 'kind'>): boolean {
  return kind === 'deposit' || kind === 'received';
}

/** The same if shares that leave take this cost along. */
export function movedAtCost(position: Position, move: Move, costOut: bigint): Position {
  if (comesIn(move)) {
    const shares = position.shares + move.shares;
    // Assets given for no shares at all are gone: a balance of zero has cost zero.
    const cost = shares === 0n ? 0n : position.cost + move.assets;
    return {
      shares,
      sharesOn: onChain(position, move.chainId, move.shares),
      cost,
      realized: position.realized,
    };
  }
  return {
    shares: position.shares - move.shares,
    sharesOn: onChain(position, move.chainId, -move.shares),
    cost: position.cost - costOut,
    realized: move.kind === 'exit' ? position.realized + move.assets - costOut : position.realized,
  };
}

function onChain({ sharesOn }: Position, chainId: number, more: bigint): SharesByChain {
  return new Map(sharesOn).set(chainId, (sharesOn.get(chainId) ?? 0n) + more);
}

/** Cost leaves in proportion, rounded down; all of it with the last share. */
function costOfShares(position: Position, shares: bigint): bigint {
  if (shares >= position.shares) return position.cost;
  return mulDivDown(position.cost, shares, position.shares);
}
