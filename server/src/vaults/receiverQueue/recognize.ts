import { fn } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { addressIn, ask, type Look, numberIn } from '../recognize/readContract.ts';

const asset = fn('asset()');
const totalSupply = fn('totalSupply()');
const totalPendingAssets = fn('totalPendingAssets()');
const pendingRedeemRequest = fn('pendingRedeemRequest(address)');

/** Assets and shares, a word each. */
const TWO_WORDS = 2 + 2 * 64;

/**
 * Returns the evidence that a vault queues redemptions per receiver, or null. Reads nothing that needs a price: before
 * the first one its conversions revert.
 */
export async function recognizeReceiverQueue(look: Look, vault: Address): Promise<string | null> {
  const [assetWord, supply, total, pending] = await ask(look, vault, [
    asset(),
    totalSupply(),
    totalPendingAssets(),
    pendingRedeemRequest(vault),
  ]);
  if (addressIn(assetWord) === null || numberIn(supply) === null) return null;
  if (numberIn(total) === null || !pending || pending.length < TWO_WORDS) return null;
  return 'totalPendingAssets() and pendingRedeemRequest(address)';
}
