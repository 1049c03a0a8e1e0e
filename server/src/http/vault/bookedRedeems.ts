import type { FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { worthOf } from '../../domain/vault/ratio.ts';
import { getNewestRatios } from '../../store/prices/read.ts';
import { walletQueues } from '../../store/queues/walletQueues.ts';
import type { Store } from '../../store/store.ts';
import { getVaultsOf, type NamedVault } from '../../store/vaults/read.ts';
import { type OutsideQueue, readOutsideQueue } from '../../vaults/erc4626/outsideQueue.ts';
import { KINDS } from '../../vaults/index.ts';
import type { PendingRedeem } from '../../vaults/pendingRedeems.ts';
import { runRounds } from '../../vaults/rounds.ts';
import { checksummed } from '../checksum.ts';
import type { LiveChains } from './liveChains.ts';
import type { QueuePlace } from './readQueues.ts';

/** A wallet's queued shares outside of plain vaults. */
export interface BookedRedeems {
  of(wallet: Address, asked: readonly FamilyConfig[]): Promise<Booked>;
}

export interface Booked {
  readonly redeems: { readonly place: QueuePlace; readonly pending: PendingRedeem }[];
  readonly incompleteChains: number[];
}

/** A vault without a queue is read again after this time: it may be upgraded. */
const NONE_MS = 600_000;

/**
 * No common contract interface names the owner of queued shares, so the index derives it from transfers.
 * Claimable amounts, and amounts owed for burned shares, are read from the queue itself if its interface is known.
 * Without a price of the chain, the value of shares is unknown, and the entry is omitted.
 */
export function createBookedRedeems(
  { store, chains }: { readonly store: Store; readonly chains: LiveChains },
  clock: () => number = () => performance.now(),
): BookedRedeems {
  const db = store.reads;
  const none = new Map<string, number>();
  const keyOf = ({ chainId, address }: { chainId: number; address: Address }) =>
    `${chainId} ${address}`;
  const mayHave = (vault: { chainId: number; address: Address }) =>
    clock() - (none.get(keyOf(vault)) ?? Number.NEGATIVE_INFINITY) > NONE_MS;

  return {
    async of(wallet, asked) {
      const plain = asked.filter(({ adapter }) => KINDS[adapter].queue === 'transfers');
      if (plain.length === 0) return { redeems: [], incompleteChains: [] };
      const waiting = await walletQueues.getOfWallet(db, wallet);
      const deployments = plain.flatMap(({ slug, chains: own }) =>
        own.map(({ chainId, address }) => ({ slug, chainId, address })),
      );
      if (waiting.length === 0 && !deployments.some(mayHave)) {
        return { redeems: [], incompleteChains: [] };
      }
      const [vaults, ratioOf] = await Promise.all([
        getVaultsOf(
          db,
          plain.map(({ slug }) => slug),
        ),
        getNewestRatios(db, deployments),
      ]);
      const { queues, incompleteChains } = await readOutside(wallet, vaults.filter(mayHave));
      const redeems = vaults.flatMap((vault) => {
        const { slug, familyId, chainId } = vault;
        const row = waiting.find((one) => one.familyId === familyId && one.chainId === chainId);
        const outside = queues.get(vault) ?? null;
        const shares = (row?.shares ?? 0n) - (outside?.claimableShares ?? 0n);
        const ratio = ratioOf(slug, chainId);
        // The index may lag behind processed requests.
        const left = shares < 0n ? 0n : shares;
        if (left > 0n && ratio === null) return [];
        const assets = (left === 0n ? 0n : worthOf(left, ratio!)) + (outside?.pendingAssets ?? 0n);
        const claimable = outside && {
          shares: outside.claimableShares,
          assets: outside.claimableAssets,
        };
        const isEmpty = left === 0n && assets === 0n;
        if (isEmpty && (claimable === null || (claimable.shares === 0n && claimable.assets === 0n)))
          return [];
        const pending = { shares: left, requestedAssets: assets, currentAssets: assets, claimable };
        return [{ place: placeOf(vault), pending }];
      });
      return { redeems, incompleteChains };
    },
  };

  async function readOutside(wallet: Address, vaults: readonly NamedVault[]) {
    const queues = new Map<NamedVault, OutsideQueue>();
    const incompleteChains: number[] = [];
    const chainIds = [...new Set(vaults.map(({ chainId }) => chainId))];
    await Promise.all(
      chainIds.map(async (chainId) => {
        const own = vaults.filter((vault) => vault.chainId === chainId);
        const answers = await chains.read(chainId, (client, block) =>
          runRounds(
            client,
            block,
            own.map(({ address }) => readOutsideQueue(address, wallet)),
          ),
        );
        if (answers === undefined) incompleteChains.push(chainId);
        for (const [i, vault] of own.entries()) {
          const answer = answers?.[i];
          if (answer != null) queues.set(vault, answer);
          else if (answer === null) none.set(keyOf(vault), clock());
        }
      }),
    );
    return { queues, incompleteChains };
  }
}

export function placeOf(vault: NamedVault): QueuePlace {
  return {
    family: vault.slug,
    chainId: vault.chainId,
    vault: checksummed(vault.address),
    shareDecimals: vault.shareDecimals,
    baseAsset: vault.asset && checksummed(vault.asset),
    baseAssetDecimals: vault.assetDecimals,
    baseAssetSymbol: vault.assetSymbol,
  };
}
