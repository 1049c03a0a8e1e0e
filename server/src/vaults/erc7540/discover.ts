import type { ChainClient } from '../../chain/chainClient.ts';
import { findRatioAmounts, findSameAsset, known } from '../discovery.ts';
import type { Found, VaultOnChain } from '../kind.ts';
import { findNamedCustody } from '../recognize/custody.ts';

/** Other custody accounts are found at the first request. */
export async function discover(
  client: ChainClient,
  block: number,
  named: Omit<VaultOnChain, 'found'>,
): Promise<Found> {
  const { chain, asset, share, shareDecimals } = named;
  const look = { client, block };
  const vaults = known([chain.address, ...chain.vaults]);
  const [ratioAmounts, sameAsset, ...holders] = await Promise.all([
    findRatioAmounts(look, chain.address, shareDecimals),
    findSameAsset(look, vaults, asset!),
    ...vaults.map((vault) => findNamedCustody(look, vault)),
  ]);
  const found = holders.flat().map(({ address }) => address);
  return {
    vaults,
    sameAsset,
    custody: known([...vaults, share, ...found, ...chain.custody]),
    ratioAmounts,
    severalAssets: false,
    allocator: null,
    oracle: null,
  };
}
