import { RpcRefused, StateUnavailable } from '../../chain/rpcError.ts';
import type { Address } from '../../domain/hex.ts';
import type { Look } from './readContract.ts';

/**
 * Returns the first block with code at an address, by bisection; null if the RPC endpoint lacks the state of old
 * blocks. There must be code at the given block.
 */
export async function findFirstBlock(look: Look, address: Address): Promise<number | null> {
  let without = -1;
  let withCode = look.block;
  try {
    while (withCode - without > 1) {
      const middle = Math.floor((without + withCode) / 2);
      if ((await look.client.code(address, middle)) === '0x') without = middle;
      else withCode = middle;
    }
  } catch (error) {
    if (error instanceof StateUnavailable || error instanceof RpcRefused) return null;
    throw error;
  }
  return withCode;
}
