import type { Address } from '../../hex.ts';
import type { LogPlace } from '../../order.ts';
import type { DatedMove } from './lot.ts';

export interface PlacedMove extends DatedMove, LogPlace {
  readonly wallet: Address;
}

/**
 * The movements of several wallets of one owner without the transfers between them: a sent and a received side in one log
 * with as many shares. Their lots stay as they were.
 */
export function withoutOwnTransfers<M extends PlacedMove>(moves: readonly M[]): M[] {
  const dropped = new Set<M>();
  for (let from = 0; from < moves.length; ) {
    let end = from + 1;
    while (end < moves.length && isSameLog(moves[from]!, moves[end]!)) end++;
    matchIn(moves.slice(from, end), dropped);
    from = end;
  }
  return moves.filter((move) => !dropped.has(move));
}

function matchIn<M extends PlacedMove>(log: readonly M[], dropped: Set<M>): void {
  for (const sent of log) {
    if (sent.kind !== 'sent') continue;
    const received = log.find(
      (one) =>
        one.kind === 'received' &&
        one.shares === sent.shares &&
        one.wallet !== sent.wallet &&
        !dropped.has(one),
    );
    if (received === undefined) continue;
    dropped.add(sent);
    dropped.add(received);
  }
}

function isSameLog(a: LogPlace, b: LogPlace): boolean {
  return a.blockNumber === b.blockNumber && a.logIndex === b.logIndex && a.chainId === b.chainId;
}
