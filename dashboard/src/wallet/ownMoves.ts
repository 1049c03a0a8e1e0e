import type { ShareMove } from './valueDays.ts';

/** A movement with the log that caused it. */
export interface LoggedMove extends ShareMove {
  readonly type: 'deposit' | 'exit' | 'received' | 'sent';
  /** The same text for the two sides of one transfer. */
  readonly log: string;
}

/** Leaves out transfers between the wallets: sent and received in one log, with as many shares. */
export function withoutOwn(moves: readonly LoggedMove[]): readonly LoggedMove[] {
  const left = new Set(moves);
  const received = new Map<string, LoggedMove[]>();
  for (const move of moves.filter(({ type }) => type === 'received')) {
    const key = keyOf(move, move.shares);
    received.set(key, [...(received.get(key) ?? []), move]);
  }
  for (const move of moves.filter(({ type }) => type === 'sent')) {
    const other = received.get(keyOf(move, -move.shares))?.pop();
    if (other === undefined) continue;
    left.delete(move);
    left.delete(other);
  }
  return [...left];
}

function keyOf({ family, log }: LoggedMove, shares: bigint): string {
  return `${family} ${log} ${shares}`;
}
