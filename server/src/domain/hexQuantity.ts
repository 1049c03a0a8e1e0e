import type { Hex } from './hex.ts';

/** A number as nodes take it: hex without leading zeros. */
export function hexQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}
