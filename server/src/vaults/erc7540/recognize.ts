import { fn } from '../../chain/abi.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { addressIn, ask, isTrue, type Look, numberIn } from '../recognize/readContract.ts';

const asset = fn('asset()');
const supportsInterface = fn('supportsInterface(bytes4)');
const pendingRedeemRequest = fn('pendingRedeemRequest(uint256,address)');
const claimableRedeemRequest = fn('claimableRedeemRequest(uint256,address)');

const QUEUED_REDEEM = '0x620ee8e4';
const QUEUED_DEPOSIT = '0xce3bbe50';
/** No contract may claim this interface: one that does claims every interface. */
const NO_INTERFACE = '0xffffffff';

/**
 * Returns the evidence that a vault has requests by ID and controller, or null. Reads nothing that needs a price:
 * before the first one some revert in totalAssets() too.
 */
export async function recognizeErc7540(look: Look, vault: Address): Promise<string | null> {
  const [assetWord, redeem, deposit, anything, pending, claimable] = await ask(look, vault, [
    asset(),
    supports(QUEUED_REDEEM),
    supports(QUEUED_DEPOSIT),
    supports(NO_INTERFACE),
    pendingRedeemRequest(0n, vault),
    claimableRedeemRequest(0n, vault),
  ]);
  if (addressIn(assetWord) === null) return null;
  if (!isTrue(anything)) {
    if (isTrue(redeem)) return `ERC-165 ${QUEUED_REDEEM} (queued redemptions)`;
    if (isTrue(deposit)) return `ERC-165 ${QUEUED_DEPOSIT} (queued deposits)`;
  }
  // Some have the functions without reporting the interface.
  if (numberIn(pending) === null || numberIn(claimable) === null) return null;
  return 'pendingRedeemRequest(uint256,address)';
}

/** A bytes4 is at the left of its word. */
function supports(id: Hex): Hex {
  return supportsInterface(`0x${id.slice(2).padEnd(64, '0')}`);
}
