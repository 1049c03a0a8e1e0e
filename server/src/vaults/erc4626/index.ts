import type { ChainClient } from '../../chain/chainClient.ts';
import { findAllocator } from '../allocators/find.ts';
import { findRatioAmounts, findSameAsset, known } from '../discovery.ts';
import { type Found, UnfitVault, type VaultKind, type VaultOnChain } from '../kind.ts';
import { findAssets } from '../recognize/assets.ts';
import { findNamedCustody } from '../recognize/custody.ts';
import { findFeeHolders } from '../recognize/feeHolders.ts';
import { LIMIT_NAMES, lacksLimits } from '../recognize/limits.ts';
import { DEPOSIT, decodeVaultLog, ofVault, TRANSFER, WITHDRAW } from '../vaultLogs.ts';
import { exitTerms } from './exitTerms.ts';
import { findOutsideQueue } from './outsideQueue.ts';
import { recognizeErc4626 } from './recognize.ts';
import { state } from './state.ts';

/** Plain ERC-4626: redemptions are paid at once, into a silo, or by a queue outside the vault. */
export const erc4626: VaultKind = {
  name: 'erc4626',
  recognize: recognizeErc4626,
  keys: ['vaults', 'routers', 'custody'],
  // The last rule concerns routers only.
  rules: ({ routers }) => (routers.length > 0 ? 9 : 8),
  price: 'converted',
  queue: 'transfers',
  walletQueue: null,
  hasClaims: false,
  paysAtOnce: true,
  discover,
  wantedLogs: ({ share, found }) => ({
    addresses: [...new Set([...found.vaults, share])],
    topics: [DEPOSIT, WITHDRAW, TRANSFER],
  }),
  decode(log, place, { share, found }) {
    const { address, topics } = log;
    const isOurs = topics[0] === TRANSFER ? address === share : found.vaults.includes(address);
    const event = isOurs ? decodeVaultLog(log, place) : undefined;
    return event?.kind === 'transfer' ? event : event && ofVault(event, address, found);
  },
  state,
  exitTerms,
};

async function discover(
  client: ChainClient,
  block: number,
  named: Omit<VaultOnChain, 'found'>,
): Promise<Found> {
  const { chain, shareDecimals } = named;
  const vault = chain.address;
  const look = { client, block };
  const vaults = known([vault, ...chain.vaults]);
  if (await lacksLimits(look, vault)) {
    throw new UnfitVault(
      `family ${named.family.slug} on chain ${chain.chainId} has none of ${LIMIT_NAMES}, so it is not ERC-4626, and its deposits and exits cannot be read: remove it from the configuration`,
    );
  }
  const [sameAsset, ratioAmounts, assets, allocator, custody, feeHolders, outsideQueue] =
    await Promise.all([
      findSameAsset(look, vaults, named.asset!),
      findRatioAmounts(look, vault, shareDecimals),
      findAssets(look, vault),
      findAllocator(look, named),
      findNamedCustody(look, vault),
      findFeeHolders(look, vault),
      findOutsideQueue(look, vault),
    ]);
  return {
    vaults,
    sameAsset,
    custody: known([...custody.map(({ address }) => address), ...chain.custody]),
    feeHolders,
    outsideQueue,
    ratioAmounts,
    severalAssets: assets.length > 1,
    allocator,
    oracle: null,
  };
}
