import { wordAt } from '../chain/abi.ts';
import type { Address } from '../domain/hex.ts';
import type { CallResult } from './kind.ts';
import { addressIn as addressInWord } from './recognise/look.ts';

/** The number at a place of an answer; null where there is no such answer. */
export function numberIn(answer: CallResult | undefined, index = 0): bigint | null {
  if (!answer || answer.length < 2 + (index + 1) * 64) return null;
  return wordAt(answer, index);
}

/** The address that a call answers with; null where it answers none, or, without a contract, nothing at all. */
export function addressIn(answer: CallResult | undefined): Address | null {
  return numberIn(answer) === null ? null : addressInWord(answer);
}
