import type { CostMethod } from '../domain/wallet/accounting/costMethod.ts';
import type { DatedMove } from '../domain/wallet/accounting/lot.ts';
import { createLotBook } from '../domain/wallet/accounting/lotBook.ts';
import type { MovementKind } from '../domain/wallet/movement.ts';
import { EMPTY_POSITION, moved, type Position } from '../domain/wallet/position.ts';
import type { ExportRange } from '../store/exports/exportTable.ts';
import { keyCell, linesOf } from './cells.ts';
import { isAfter } from './exportCursor.ts';

interface LedgerOptions {
  /** Key of the last row before, without the family: earlier rows are only counted. */
  readonly after: readonly string[];
  readonly range: ExportRange;
  readonly method: CostMethod;
}

/** Adds to the movements of pages, in the order of wallets, what they change in the cost of their shares. */
export function createLedgerLines(options: LedgerOptions): (lines: string) => string {
  const { after, range, method } = options;
  const { chainId, fromBlock = 0, toBlock = Number.MAX_SAFE_INTEGER } = range;
  const { fromTime = 0, toTime = Number.MAX_SAFE_INTEGER } = range;
  let wallet = '';
  let take = createCosts(method);
  return (lines) => {
    const made: string[] = [];
    for (const line of linesOf(lines)) {
      const [, own, time, chain, block] = line.split(',', 5) as Cells;
      if (own !== wallet) {
        wallet = own;
        take = createCosts(method);
      }
      const { cost, result } = take(moveOf(line));
      const isAsked =
        (chainId === undefined || Number(chain) === chainId) &&
        Number(block) >= fromBlock &&
        Number(block) <= toBlock &&
        Number(time) >= fromTime &&
        Number(time) < toTime;
      if (isAsked && isAfter(line.split(',', 7).slice(1).map(keyCell), after)) {
        made.push(`${line},${cost},${result ?? ''}`);
      }
    }
    return made.join('\n');
  };
}

type Cells = [string, string, string, string, string];

/** The movement of a line of the table `ledger`, as it is read. */
export function moveOf(line: string): DatedMove {
  const cells = line.split(',', 10);
  return {
    at: Number(cells[2]),
    chainId: Number(cells[3]),
    kind: cells[7] as MovementKind,
    shares: BigInt(cells[8]!),
    assets: BigInt(cells[9]!),
  };
}

interface Costs {
  readonly cost: bigint;
  /** Null for all but an exit. */
  readonly result: bigint | null;
}

/** Takes the movements of a wallet in order. Average cost needs no lots. */
function createCosts(method: CostMethod): (move: DatedMove) => Costs {
  if (method !== 'average') return createLotBook(method).add;
  let position: Position = EMPTY_POSITION;
  return (move) => {
    const before = position;
    position = moved(before, move);
    const result = move.kind === 'exit' ? position.realized - before.realized : null;
    return { cost: position.cost - before.cost, result };
  };
}
