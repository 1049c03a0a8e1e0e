import { fn } from '../chain/abi.ts';
import type { ChainClient } from '../chain/chainClient.ts';
import { StateUnavailable } from '../chain/rpcError.ts';
import type { Address } from '../domain/hex.ts';
import { numberIn } from './callResult.ts';

const convertToAssets = fn('convertToAssets(uint256)');

/** Maximum fee on the amount paid for shares, in percent. */
const FEES = 10n;

/** Whether a payment is the value of shares, but for fees. */
export function isNearWorth(paid: bigint, worth: bigint): boolean {
  const off = paid > worth ? paid - worth : worth - paid;
  return paid > 0n && off * 100n <= worth * FEES + 100n;
}

/** Returns null if the vault reports no value, or the RPC endpoint has no state of that block. */
export async function worthAt(
  client: ChainClient,
  to: Address,
  shares: bigint,
  block: number,
): Promise<bigint | null> {
  try {
    const [answer] = await client.multicall([{ to, data: convertToAssets(shares) }], block);
    return numberIn(answer);
  } catch (error) {
    if (error instanceof StateUnavailable && error.reason === 'pruned') return null;
    throw error;
  }
}
