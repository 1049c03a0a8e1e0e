import { wordAt } from '../chain/abi.ts';
import type { Address } from '../domain/hex.ts';
import type { CallResult } from './kind.ts';
import { addressIn as addressInWord } from './recognize/readContract.ts';

/** Returns the number at an index of a result; null without such a result. */
export function numberIn(answer: CallResult | undefined, index = 0): bigint | null {
  if (!answer || answer.length < 2 + (index + 1) * 64) return null;
  return wordAt(answer, index);
}

/** Returns the address in a result; null if it has none, or if there is no contract. */
export function addressIn(answer: CallResult | undefined): Address | null {
  return numberIn(answer) === null ? null : addressInWord(answer);
}
