import { mulDivDown } from '../../amount.ts';
import { comesIn, EMPTY_POSITION, moved, movedAtCost, type Position } from '../position.ts';
import { type CostMethod, LOT_ORDER } from './costMethod.ts';
import { type DatedMove, type Lot, type LotPart, split } from './lot.ts';
import { createLotHeap } from './lotHeap.ts';

/** What a movement did to the cost of a wallet's shares, and which lots it took. */
export interface LotChange<M extends DatedMove = DatedMove> {
  /** Cost that came in, or left with the shares: negative then. */
  readonly cost: bigint;
  /** Of an exit: assets received less the cost of the shares; null for all else. */
  readonly result: bigint | null;
  /** Of an exit or shares sent; their shares, costs, and assets add up to those of the movement. */
  readonly parts: readonly LotPart<M>[];
}

/** The lots of one wallet in one family, over all its chains. */
export interface LotBook<M extends DatedMove = DatedMove> {
  /** Takes the next movement; movements come in their order. */
  add(move: M): LotChange<M>;
  /** At this method's cost. */
  position(): Position;
  /** The oldest first. Their shares add up to the balance, and their costs to the cost basis. */
  lots(): Lot<M>[];
}

export function createLotBook<M extends DatedMove = DatedMove>(method: CostMethod): LotBook<M> {
  const isPooled = method === 'average';
  const heap = createLotHeap<M>(LOT_ORDER[method]);
  /** Cost that came in without shares to hold; it leaves with the last share. */
  let bare: Lot<M>[] = [];
  let position = EMPTY_POSITION;
  let count = 0;

  return {
    add(move) {
      const before = position;
      if (comesIn(move)) {
        open(move);
        return { cost: position.cost - before.cost, result: null, parts: [] };
      }
      const taken = move.shares >= before.shares ? takeAll() : take(move.shares);
      position = isPooled ? moved(before, move) : movedAtCost(before, move, sum(taken, 'cost'));
      const cost = before.cost - position.cost;
      const parts = partsOf(move, isPooled ? atCost(taken, cost) : taken);
      const result = move.kind === 'exit' ? position.realized - before.realized : null;
      return { cost: -cost, result, parts };
    },
    position: () => position,
    lots() {
      const lots = [...heap.all, ...bare].sort((a, b) => a.number - b.number);
      return isPooled ? atCost(lots, position.cost) : lots;
    },
  };

  function open(move: M): void {
    // Shares that left before they were seen coming in are made up first.
    const missing = position.shares < 0n ? -position.shares : 0n;
    const shares = move.shares > missing ? move.shares - missing : 0n;
    const lot = { number: count++, opened: move, shares, cost: move.assets };
    if (shares > 0n) heap.push(lot);
    else bare.push(lot);
    position = moved(position, move);
    if (position.shares === 0n) bare = [];
  }

  function takeAll(): Lot<M>[] {
    const all = [...heap.all, ...bare].sort((a, b) => a.number - b.number);
    heap.clear();
    bare = [];
    return all;
  }

  function take(shares: bigint): Lot<M>[] {
    const taken: Lot<M>[] = [];
    let left = shares;
    while (left > 0n) {
      const lot = heap.first()!;
      if (lot.shares <= left) {
        heap.removeFirst();
        taken.push(lot);
        left -= lot.shares;
        continue;
      }
      // Rounded down: what is left costs no less per share than before, so it stays the first of its order.
      const cost = mulDivDown(lot.cost, left, lot.shares);
      heap.replaceFirst({ ...lot, shares: lot.shares - left, cost: lot.cost - cost });
      taken.push({ ...lot, shares: left, cost });
      break;
    }
    return taken;
  }
}

/** The same lots at parts of a common cost. */
function atCost<M extends DatedMove>(lots: readonly Lot<M>[], cost: bigint): Lot<M>[] {
  const costs = split(
    cost,
    lots.map(({ shares }) => shares),
  );
  return lots.map((lot, index) => ({ ...lot, cost: costs[index]! }));
}

function partsOf<M extends DatedMove>(move: M, taken: readonly Lot<M>[]): LotPart<M>[] {
  const known = taken.map((lot) => ({ lot, shares: lot.shares, cost: lot.cost }));
  const missing = move.shares - sum(taken, 'shares');
  const all =
    missing > 0n || known.length === 0
      ? [...known, { lot: null, shares: missing, cost: 0n }]
      : known;
  const assets = split(
    move.assets,
    all.map(({ shares }) => shares),
  );
  return all.map((part, index) => ({ ...part, assets: assets[index]! }));
}

function sum(lots: readonly Lot[], field: 'shares' | 'cost'): bigint {
  return lots.reduce((total, lot) => total + lot[field], 0n);
}
