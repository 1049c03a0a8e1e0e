import type { FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { worthOf } from '../../domain/vault/ratio.ts';
import { getNewestRatios } from '../../store/prices/read.ts';
import { walletQueues } from '../../store/queues/walletQueues.ts';
import type { Queryable } from '../../store/store.ts';
import { getVaultsOf } from '../../store/vaults/read.ts';
import { KINDS } from '../../vaults/index.ts';
import type { PendingRedeem } from '../../vaults/pendingRedeems.ts';
import { checksummed } from '../checksum.ts';
import type { QueuePlace } from './readQueues.ts';

/**
 * What a wallet has queued outside of plain vaults: no contract says it in a common way, so the index does, by who
 * brought the shares. Without a price of the chain its worth is unknown, and the entry left out.
 */
export async function getBookedRedeems(
  db: Queryable,
  wallet: Address,
  asked: readonly FamilyConfig[],
): Promise<{ readonly place: QueuePlace; readonly pending: PendingRedeem }[]> {
  const plain = asked.filter(({ adapter }) => KINDS[adapter].queue === 'transfers');
  if (plain.length === 0) return [];
  const waiting = await walletQueues.getOfWallet(db, wallet);
  if (waiting.length === 0) return [];
  const slugs = plain.map(({ slug }) => slug);
  const homes = plain.flatMap(({ slug, chains }) =>
    chains.map(({ chainId }) => ({ slug, chainId })),
  );
  const [facts, ratioOf] = await Promise.all([getVaultsOf(db, slugs), getNewestRatios(db, homes)]);
  return facts.flatMap((vault) => {
    const { slug, familyId, chainId } = vault;
    const row = waiting.find((one) => one.familyId === familyId && one.chainId === chainId);
    const ratio = ratioOf(slug, chainId);
    if (row === undefined || ratio === null) return [];
    const currentAssets = worthOf(row.shares, ratio);
    const place = {
      family: slug,
      chainId,
      vault: checksummed(vault.address),
      shareDecimals: vault.shareDecimals,
      baseAsset: checksummed(vault.asset),
      baseAssetDecimals: vault.assetDecimals,
      baseAssetSymbol: vault.assetSymbol,
    };
    const pending = { shares: row.shares, requestedAssets: currentAssets, currentAssets };
    return [{ place, pending: { ...pending, claimable: null } }];
  });
}
