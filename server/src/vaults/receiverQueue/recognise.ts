import { fn } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { addressIn, ask, type Look, numberIn } from '../recognise/look.ts';

const asset = fn('asset()');
const totalSupply = fn('totalSupply()');
const totalPendingAssets = fn('totalPendingAssets()');
const pendingRedeemRequest = fn('pendingRedeemRequest(address)');

/** Assets and shares, a word each. */
const TWO_WORDS = 2 + 2 * 64;

/**
 * By what a vault with redemptions queued per receiver is known; null when it is none. It is asked for nothing that
 * needs a price: before the first one is published its conversions revert.
 */
export async function recogniseReceiverQueue(look: Look, vault: Address): Promise<string | null> {
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
