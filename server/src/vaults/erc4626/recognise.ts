import { fn } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { addressIn, ask, type Look, numberIn } from '../recognise/look.ts';

const asset = fn('asset()');
const share = fn('share()');
const totalAssets = fn('totalAssets()');
const totalSupply = fn('totalSupply()');
const convertToAssets = fn('convertToAssets(uint256)');

/** By what a plain vault is known; null when it is none. Others have all of this too, and more: ask for them first. */
export async function recogniseErc4626(look: Look, vault: Address): Promise<string | null> {
  const [assetWord, shareWord, total, supply, assets] = await ask(look, vault, [
    asset(),
    share(),
    totalAssets(),
    totalSupply(),
    convertToAssets(1n),
  ]);
  if (addressIn(assetWord) === null || numberIn(total) === null) return null;
  if (numberIn(assets) === null) return null;
  // The share token may be a contract of its own.
  const apart = addressIn(shareWord);
  const [shareSupply] = apart === null ? [supply] : await ask(look, apart, [totalSupply()]);
  if (numberIn(shareSupply) === null) return null;
  return 'asset(), totalAssets(), convertToAssets() and totalSupply()';
}
