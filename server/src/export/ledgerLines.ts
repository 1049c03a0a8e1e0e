import type { MovementKind } from '../domain/wallet/movement.ts';
import { EMPTY_POSITION, moved, type Position } from '../domain/wallet/position.ts';
import type { ExportRange } from '../store/exports/exportTable.ts';
import { linesOf } from './cells.ts';
import { isAfter } from './exportCursor.ts';

interface LedgerOptions {
  /** Key of the last row before, without the family: earlier rows are only counted. */
  readonly after: readonly string[];
  readonly range: ExportRange;
}

/** Adds to the movements of pages, in the order of wallets, what they change in the cost of their shares. */
export function createLedgerLines({ after, range }: LedgerOptions): (lines: string) => string {
  const { chainId, fromBlock = 0, toBlock = Number.MAX_SAFE_INTEGER } = range;
  const { fromTime = 0, toTime = Number.MAX_SAFE_INTEGER } = range;
  let wallet = '';
  let position: Position = EMPTY_POSITION;
  return (lines) => {
    const made: string[] = [];
    for (const line of linesOf(lines)) {
      const [, own, time, chain, block, , , kind, shares, assets] = line.split(',') as Cells;
      if (own !== wallet) {
        wallet = own;
        position = EMPTY_POSITION;
      }
      const next = moved(position, {
        kind: kind as MovementKind,
        shares: BigInt(shares),
        assets: BigInt(assets),
        chainId: Number(chain),
      });
      const cost = next.cost - position.cost;
      const result = kind === 'exit' ? next.realized - position.realized : '';
      position = next;
      const isAsked =
        (chainId === undefined || Number(chain) === chainId) &&
        Number(block) >= fromBlock &&
        Number(block) <= toBlock &&
        Number(time) >= fromTime &&
        Number(time) < toTime;
      if (isAsked && isAfter(line.split(',', 7).slice(1), after)) {
        made.push(`${line},${cost},${result}`);
      }
    }
    return made.join('\n');
  };
}

type Cells = [string, string, string, string, string, string, string, string, string, string];
