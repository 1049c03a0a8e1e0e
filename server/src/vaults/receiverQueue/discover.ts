import type { ChainClient } from '../../chain/chainClient.ts';
import { unit } from '../../domain/amount.ts';
import { known } from '../discovery.ts';
import { type Found, UnfitVault, type VaultOnChain } from '../kind.ts';
import { findPriceSource } from '../recognize/priceSource.ts';

/** The share price has as many digits as the oracle publishes, so it is read for one share (10^decimals). */
export async function discover(
  client: ChainClient,
  block: number,
  named: Omit<VaultOnChain, 'found'>,
): Promise<Found> {
  const { family, chain, share, shareDecimals, master } = named;
  const { address, chainId } = chain;
  const source = await findPriceSource(
    { client, block },
    { address, shareDecimals },
    {
      ...(chain.oracle !== undefined && { oracle: chain.oracle }),
      ...(master !== null && { entry: master }),
    },
  );
  if (source === null) {
    throw new UnfitVault(
      `family ${family.slug} on chain ${chainId} has no share-price oracle: its vault names none, so add the key oracle to its entry under chains`,
    );
  }
  return {
    vaults: [address],
    sameAsset: new Set([address]),
    custody: known([address, share, ...chain.custody]),
    ratioAmounts: [unit(shareDecimals)],
    severalAssets: false,
    allocator: null,
    oracle: { address: source.oracle, entry: source.entry },
  };
}
