import { wordAt } from '../chain/abi.ts';
import type { CallResult } from './kind.ts';

export { addressIn } from './recognise/look.ts';

/** The number at a place of an answer; null where there is no such answer. */
export function numberIn(answer: CallResult | undefined, index = 0): bigint | null {
  if (!answer || answer.length < 2 + (index + 1) * 64) return null;
  return wordAt(answer, index);
}
