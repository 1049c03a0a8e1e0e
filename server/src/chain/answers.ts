import type { Hex } from '../domain/hex.ts';
import { fn, wordAt } from './abi.ts';

const supportsInterface = fn('supportsInterface(bytes4)');

/** Interface IDs of ERC-7540: which of the two directions a vault queues. */
export const QUEUED_DEPOSITS = 0xce3bbe50n;
export const QUEUED_REDEMPTIONS = 0x620ee8e4n;

/** ERC-165: the four bytes are at the left of their word. */
export function supports(interfaceId: bigint): Hex {
  return supportsInterface(interfaceId << 224n);
}

/** Null for a call that failed, and for an address without code, which returns nothing. */
export function numberAt(answer: Hex | null | undefined, index: number): bigint | null {
  if (!answer || answer.length < 2 + (index + 1) * 64) return null;
  return wordAt(answer, index);
}
