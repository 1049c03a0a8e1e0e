import type { Lot } from './lot.ts';

/** Which cost leaves with shares: the average of all, or that of the lots which leave first. */
export const COST_METHODS = ['average', 'fifo', 'lifo', 'hifo'] as const;

export type CostMethod = (typeof COST_METHODS)[number];

/** Whether lot `a` leaves before lot `b`; both have shares. */
export type LotOrder = (a: Lot, b: Lot) => boolean;

/** At average cost only the holding period depends on the order: the oldest lot leaves first. */
export const LOT_ORDER: Readonly<Record<CostMethod, LotOrder>> = {
  average: isOlder,
  fifo: isOlder,
  lifo: (a, b) => isOlder(b, a),
  hifo(a, b) {
    // cost ÷ shares of both, compared without a division.
    const [ours, theirs] = [a.cost * b.shares, b.cost * a.shares];
    return ours === theirs ? isOlder(a, b) : ours > theirs;
  },
};

function isOlder(a: Lot, b: Lot): boolean {
  return a.number < b.number;
}
