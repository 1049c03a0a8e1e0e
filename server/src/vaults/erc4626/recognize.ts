import { fn } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { lacksLimits } from '../recognize/limits.ts';
import { addressIn, ask, type Look, numberIn } from '../recognize/readContract.ts';

const asset = fn('asset()');
const share = fn('share()');
const totalAssets = fn('totalAssets()');
const totalSupply = fn('totalSupply()');
const convertToAssets = fn('convertToAssets(uint256)');

/**
 * Returns the evidence that this is a plain vault, or null. Other kinds have all of it too, so they are checked first.
 */
export async function recognizeErc4626(look: Look, vault: Address): Promise<string | null> {
  const [assetWord, shareWord, total, supply, assets] = await ask(look, vault, [
    asset(),
    share(),
    totalAssets(),
    totalSupply(),
    convertToAssets(1n),
  ]);
  if (addressIn(assetWord) === null || numberIn(total) === null) return null;
  if (numberIn(assets) === null) return null;
  // The share token may be a separate contract.
  const apart = addressIn(shareWord);
  const [shareSupply] = apart === null ? [supply] : await ask(look, apart, [totalSupply()]);
  if (numberIn(shareSupply) === null || (await lacksLimits(look, vault))) return null;
  return 'asset(), totalAssets(), convertToAssets() and totalSupply()';
}
