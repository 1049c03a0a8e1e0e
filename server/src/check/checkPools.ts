import { fn } from '../chain/abi.ts';
import type { RecognizedVault } from '../vaults/recognize/index.ts';
import { addressIn, ask, type Look, numberIn } from '../vaults/recognize/readContract.ts';
import type { ConfigLocation } from './configLocation.ts';
import { type CheckLine, fail, pass } from './line.ts';

const asset = fn('asset()');
const balanceOf = fn('balanceOf(address)');
const convertToAssets = fn('convertToAssets(uint256)');

/** Checks holdings that only the file declares: each must be in the family's own base asset. */
export async function checkPools(
  look: Look,
  location: ConfigLocation,
  vault: RecognizedVault,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const [i, { position, offchainId }] of location.family.pools.entries()) {
    if (position === undefined || position.chainId !== location.chain.chainId) continue;
    const key = `${location.familyKey}.pools[${i}].position`;
    const { address, holder = vault.address, kind } = position;
    const [held, over, value] = await ask(look, address, [
      balanceOf(holder),
      asset(),
      convertToAssets(1n),
    ]);
    const base = kind === 'token' ? address : addressIn(over);
    if (numberIn(held) === null || (kind === 'erc4626' && numberIn(value) === null)) {
      const reason = `${address} on chain ${position.chainId} does not have the interface of ${kind}`;
      lines.push(fail(key, reason, 'correct the address or the kind'));
    } else if (base !== vault.asset.address) {
      const reason = `${address} is over ${base ?? 'nothing'}, but the family over ${vault.asset.address}`;
      lines.push(fail(key, reason, 'name a holding of the base asset'));
    } else lines.push(pass(`${key}: ${offchainId} is read as ${kind}`));
  }
  return lines;
}
