import { KINDS } from '../vaults/index.ts';
import type { RecognizedVault } from '../vaults/recognize/index.ts';
import { findPriceSource } from '../vaults/recognize/priceSource.ts';
import { isContract, type Look } from '../vaults/recognize/readContract.ts';
import type { ConfigLocation } from './configLocation.ts';
import { type CheckLine, fail, pass } from './line.ts';

/** Checks the source of a published share price; other vault kinds convert themselves. */
export async function checkOracle(
  look: Look,
  location: ConfigLocation,
  vault: RecognizedVault,
): Promise<CheckLine[]> {
  if (KINDS[vault.kind].price !== 'published') return [];
  const { chain, master, family } = location;
  const key = `${location.key}.oracle`;
  if (chain.oracle !== undefined && !(await isContract(look, chain.oracle))) {
    const reason = `${chain.oracle} on chain ${chain.chainId} has no contract`;
    return [fail(key, reason, 'correct the address, or remove it if the vault names its own')];
  }
  const entry = master?.chains.find(({ chainId }) => chainId === chain.chainId)?.address;
  const source = await findPriceSource(
    look,
    { address: vault.address, shareDecimals: vault.share.decimals },
    {
      ...(chain.oracle !== undefined && { oracle: chain.oracle }),
      ...(entry !== undefined && { entry }),
    },
  );
  if (source === null) {
    const reason = `neither the file nor the vault of ${family.slug} names a share-price oracle on chain ${chain.chainId}`;
    return [fail(key, reason, 'add oracle: with its address')];
  }
  const { oracle, price, ownPrice, proven } = source;
  const whose = source.entry === vault.address ? 'its own entry' : `the entry of ${source.entry}`;
  if (proven) return [pass(`${key}: ${oracle} has ${whose}, which is what convertToAssets() uses`)];
  if (price === null && ownPrice === null) {
    return [pass(`${key}: ${oracle} has no price of ${family.slug} yet`)];
  }
  const reason =
    price === null
      ? `${oracle} does not support getLatestPrice() for ${family.slug} on chain ${chain.chainId}`
      : `${oracle} prices a share of ${family.slug} at ${price}, the vault itself at ${ownPrice ?? 'nothing'}`;
  return [fail(key, reason, 'name the oracle that the vault uses')];
}
