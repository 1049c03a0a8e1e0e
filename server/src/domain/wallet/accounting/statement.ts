import { EMPTY_POSITION, type Position } from '../position.ts';
import type { CostMethod } from './costMethod.ts';
import type { DatedMove } from './lot.ts';
import { createLotBook, type LotChange } from './lotBook.ts';
import { MOVE_TYPES, type MoveType, typeOf } from './moveType.ts';

/** A movement in the period. */
export interface StatementEntry<M extends DatedMove = DatedMove> {
  readonly move: M;
  readonly type: MoveType;
  readonly change: LotChange<M>;
}

/** One family over a period: balances before and after it, and what lies between them. */
export interface Statement<M extends DatedMove = DatedMove> {
  readonly opening: Position;
  readonly closing: Position;
  readonly entries: readonly StatementEntry<M>[];
}

/** `moves` are all from the first one to the end of the period, which begins at `from`. */
export function statementOf<M extends DatedMove>(
  moves: readonly M[],
  method: CostMethod,
  from: number,
): Statement<M> {
  const book = createLotBook<M>(method);
  const entries: StatementEntry<M>[] = [];
  let opening = EMPTY_POSITION;
  for (const move of moves) {
    const change = book.add(move);
    if (move.at < from) opening = book.position();
    else entries.push({ move, type: typeOf(move), change });
  }
  return { opening, closing: book.position(), entries };
}

/** All movements of one type in a period. */
export interface Flow {
  readonly count: number;
  readonly shares: bigint;
  /** Paid in, paid out, or the value of received shares; 0 for all else. */
  readonly assets: bigint;
  /** Change of the cost basis. */
  readonly cost: bigint;
  /** Of exits and fees; 0 for all else. */
  readonly realized: bigint;
}

export function flowsOf(entries: readonly StatementEntry[]): Record<MoveType, Flow> {
  const flows = MOVE_TYPES.map((type): [MoveType, Flow] => {
    const own = entries.filter((entry) => entry.type === type);
    const sum = (amount: (entry: StatementEntry) => bigint) =>
      own.reduce((total, entry) => total + amount(entry), 0n);
    return [
      type,
      {
        count: own.length,
        shares: sum(({ move }) => move.shares),
        assets: sum(({ move }) => move.assets),
        cost: sum(({ change }) => change.cost),
        realized: sum(({ change }) => change.result ?? 0n),
      },
    ];
  });
  return Object.fromEntries(flows) as Record<MoveType, Flow>;
}
