import type { ChainClient } from '../../chain/chainClient.ts';
import { numberIn } from '../callResult.ts';
import { known } from '../discovery.ts';
import { type Found, UnfitVault, type VaultOnChain } from '../kind.ts';
import { describedOf } from './described.ts';

/** Throws UnfitVault if a contract does not respond as described; a paused rate may respond later. */
export async function discover(
  client: ChainClient,
  block: number,
  named: Omit<VaultOnChain, 'found'>,
): Promise<Found> {
  const { chain, shareDecimals } = named;
  const { ledger, custody } = describedOf(named);
  const [supply] = await client.multicall(
    [{ to: ledger.supply.contract, data: ledger.supply.data }],
    block,
  );
  if (numberIn(supply, ledger.supply.answer) === null) throw unfit(ledger.supply.call);
  return {
    vaults: [chain.address],
    sameAsset: new Set([chain.address]),
    custody: known([...custody, ...chain.custody]),
    ratioAmounts: [10n ** BigInt(shareDecimals)],
    severalAssets: false,
    allocator: null,
    oracle: null,
  };

  function unfit(missing: string): UnfitVault {
    return new UnfitVault(
      `family ${named.family.slug} on chain ${chain.chainId} does not answer ${missing}: correct its description in the configuration`,
    );
  }
}
