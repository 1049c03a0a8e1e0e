import type { CostMethod } from '../domain/wallet/accounting/costMethod.ts';
import { createLotBook } from '../domain/wallet/accounting/lotBook.ts';
import { linesOf } from './cells.ts';
import { moveOf } from './ledgerLines.ts';

export interface PositionLines {
  /** Takes movements of the table `ledger` in order; returns the positions of the wallets that are complete. */
  add(lines: string): string;
  /** The position of the last wallet. */
  end(): string;
}

/** Computes the rows of the table `positions` by a cost method: only average cost is stored. */
export function createPositionLines(method: CostMethod): PositionLines {
  /** The first two cells of a row. */
  let owner: string | undefined;
  let book = createLotBook(method);

  return {
    add(lines) {
      const made: string[] = [];
      for (const line of linesOf(lines)) {
        const next = line.split(',', 2).join(',');
        if (owner !== undefined && next !== owner) {
          made.push(current());
          book = createLotBook(method);
        }
        owner = next;
        book.add(moveOf(line));
      }
      return made.join('\n');
    },
    end: () => (owner === undefined ? '' : current()),
  };

  function current(): string {
    const { shares, cost, realized } = book.position();
    return `${owner},${shares},${cost},${realized}`;
  }
}
