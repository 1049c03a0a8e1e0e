import type { Move } from '../position.ts';

/** What a movement is in a statement, where fees and rewards stand apart. */
export const MOVE_TYPES = ['deposit', 'exit', 'received', 'sent', 'reward', 'fee'] as const;

export type MoveType = (typeof MOVE_TYPES)[number];

/** Shares that came in at no cost are a reward, and shares given up for no assets a fee. */
export function typeOf({ kind, assets }: Pick<Move, 'kind' | 'assets'>): MoveType {
  if (kind === 'received' && assets === 0n) return 'reward';
  if (kind === 'exit' && assets === 0n) return 'fee';
  return kind;
}
