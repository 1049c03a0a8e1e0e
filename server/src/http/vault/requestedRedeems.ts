import type { FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { type Ratio, worthOf } from '../../domain/vault/ratio.ts';
import { getNewestRatios } from '../../store/prices/read.ts';
import { type OwnRequest, redeemRequests } from '../../store/requests/redeemRequests.ts';
import type { Store } from '../../store/store.ts';
import { getVaultsOf } from '../../store/vaults/read.ts';
import { KINDS } from '../../vaults/index.ts';
import type { PendingRedeem } from '../../vaults/pendingRedeems.ts';
import { type Booked, placeOf } from './bookedRedeems.ts';

/**
 * Returns a wallet's queued requests of vaults whose events number them, from the index. Without a rate of the chain,
 * the value of shares is unknown, and the entry is omitted.
 */
export async function getRequestedRedeems(
  { store }: { readonly store: Store },
  wallet: Address,
  asked: readonly FamilyConfig[],
): Promise<Booked['redeems']> {
  const own = asked.filter(({ adapter }) => KINDS[adapter].queue === 'requests');
  const open = own.length === 0 ? [] : await redeemRequests.getOfWallet(store.reads, wallet);
  if (open.length === 0) return [];
  const deployments = own.flatMap(({ slug, chains }) =>
    chains.map(({ chainId }) => ({ slug, chainId })),
  );
  const [vaults, ratioOf] = await Promise.all([
    getVaultsOf(
      store.reads,
      own.map(({ slug }) => slug),
    ),
    getNewestRatios(store.reads, deployments),
  ]);
  return vaults.flatMap((vault) => {
    const { slug, familyId, chainId } = vault;
    const requests = open.filter((one) => one.familyId === familyId && one.chainId === chainId);
    const pending = requests.length === 0 ? null : pendingOf(requests, ratioOf(slug, chainId));
    return pending === null ? [] : [{ place: placeOf(vault), pending }];
  });
}

/** Null if the value of shares is needed and unknown. */
export function pendingOf(
  requests: readonly OwnRequest[],
  ratio: Ratio | null,
): PendingRedeem | null {
  const waiting = requests.filter(({ settled }) => !settled);
  const ready = requests.filter(({ settled }) => settled);
  const shares = sharesOf(waiting);
  if (shares > 0n && ratio === null) return null;
  const worth = (amount: bigint) => (amount === 0n ? 0n : worthOf(amount, ratio!));
  // A request without a promised amount does not change what the others were promised.
  const open = waiting.filter(({ assets }) => assets === null);
  const promised = waiting.reduce((sum, { assets }) => sum + (assets ?? 0n), 0n);
  const claimable = { shares: sharesOf(ready), assets: assetsOf(ready) };
  const requestedAssets = promised + worth(sharesOf(open));
  return { shares, requestedAssets, currentAssets: worth(shares), claimable };
}

function sharesOf(requests: readonly OwnRequest[]): bigint {
  return requests.reduce((sum, { shares }) => sum + shares, 0n);
}

/** The sum is unknown if one of the amounts is. */
function assetsOf(requests: readonly OwnRequest[]): bigint | null {
  return requests.reduce<bigint | null>(
    (sum, { assets }) => (sum === null || assets === null ? null : sum + assets),
    0n,
  );
}
