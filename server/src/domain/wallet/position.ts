import { mulDivDown } from '../amount.ts';
import type { Movement } from './movement.ts';

/** A wallet's stake in a family over all chains, at average cost. */
export interface Position {
  readonly shares: bigint;
  readonly cost: bigint;
  readonly realized: bigint;
}

export const EMPTY_POSITION: Position = { shares: 0n, cost: 0n, realized: 0n };

/** The position after one more movement; movements come in the order of their places. */
export function moved(
  position: Position,
  movement: Pick<Movement, 'kind' | 'shares' | 'assets'>,
): Position {
  if (movement.kind === 'deposit' || movement.kind === 'received') {
    const shares = position.shares + movement.shares;
    // Assets given for no shares at all are gone: a balance of zero has cost zero.
    const cost = shares === 0n ? 0n : position.cost + movement.assets;
    return { shares, cost, realized: position.realized };
  }
  const costOut = costOfShares(position, movement.shares);
  return {
    shares: position.shares - movement.shares,
    cost: position.cost - costOut,
    realized:
      movement.kind === 'exit' ? position.realized + movement.assets - costOut : position.realized,
  };
}

/** Cost leaves in proportion, rounded down; all of it with the last share. */
function costOfShares(position: Position, shares: bigint): bigint {
  if (shares >= position.shares) return position.cost;
  return mulDivDown(position.cost, shares, position.shares);
}
