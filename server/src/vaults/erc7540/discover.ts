import type { ChainClient } from '../../chain/chainClient.ts';
import { findRatioAmounts, findSameAsset, known } from '../discovery.ts';
import type { Found, VaultOnChain } from '../kind.ts';
import { findNamedCustody } from '../recognise/custody.ts';

/** Other holders show themselves when the first request is made. */
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
    findSameAsset(look, vaults, asset),
    ...vaults.map((vault) => findNamedCustody(look, vault)),
  ]);
  const found = holders.flat().map(({ address }) => address);
  return {
    vaults,
    sameAsset,
    custody: known([...vaults, share, ...found, ...chain.custody]),
    ratioAmounts,
    allocator: null,
    oracle: null,
  };
}
