import type { CostMethod } from './accounting/costMethod.ts';
import type { DatedMove } from './accounting/lot.ts';
import { createLotBook, type LotChange } from './accounting/lotBook.ts';

/** What a movement did to the cost of a wallet's shares, and what it brought in. */
export type LedgerChange = Pick<LotChange, 'cost' | 'result'>;

/** The changes of one wallet in one family; movements come in their order. */
export function ledgerOf(
  moves: Iterable<DatedMove>,
  method: CostMethod = 'average',
): LedgerChange[] {
  const book = createLotBook(method);
  return [...moves].map((move) => {
    const { cost, result } = book.add(move);
    return { cost, result };
  });
}
