import { EMPTY_POSITION, type Move, moved } from './position.ts';

/** What a movement did to the cost of a wallet's shares, and what it brought in. */
export interface LedgerChange {
  /** Cost that came in, or left with the shares: negative then. */
  readonly cost: bigint;
  /** Of an exit: assets received less the cost of the shares; null for all else. */
  readonly result: bigint | null;
}

/** The changes of one wallet in one family, at average cost; movements come in their order. */
export function ledgerOf(moves: Iterable<Move>): LedgerChange[] {
  const changes: LedgerChange[] = [];
  let position = EMPTY_POSITION;
  for (const move of moves) {
    const after = moved(position, move);
    changes.push({
      cost: after.cost - position.cost,
      result: move.kind === 'exit' ? after.realized - position.realized : null,
    });
    position = after;
  }
  return changes;
}
