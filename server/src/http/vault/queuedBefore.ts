import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { worthOf } from '../../domain/vault/ratio.ts';
import type { PlaceInQueue } from '../../domain/vault/waits.ts';
import { getNewestRatios } from '../../store/prices/read.ts';
import type { Store } from '../../store/store.ts';
import { KINDS } from '../../vaults/index.ts';
import type { RedeemEntry } from './pendingRedeemsSchema.ts';
import { createQueueBook, type QueueBook } from './queueBook.ts';

export type Before = Pick<RedeemEntry, 'assetsBefore' | 'assetsBeforeReason'>;

export interface QueuesBefore {
  /** What is queued before a wallet's redemption. */
  of(wallet: Address, entry: Omit<RedeemEntry, keyof Before>): Promise<Before>;
}

/** Knows what waits in each family's queue, first in first out. `clock` gives milliseconds that never go back. */
export function createQueuesBefore(
  { config, store }: { readonly config: Config; readonly store: Store },
  clock: () => number = () => performance.now(),
): QueuesBefore {
  const books = new Map<string, QueueBook>();

  return {
    async of(wallet, entry) {
      const family = config.families.find(({ slug }) => slug === entry.family)!;
      const shares = BigInt(entry.shares);
      if (shares === 0n) return unknown('claimable');
      const place = family.chains.find(({ chainId }) => chainId === entry.chainId)!;
      if (place.vaults.length > 0) return unknown('several-vaults');
      const placeOf = await bookOf(family, entry.chainId).load();
      const queued = placeOf(wallet);
      if (queued.own !== shares) return unknown('not-indexed');
      const assets = await worth(family, entry.chainId, queued);
      if (assets === null) return unknown('unpriced');
      return { assetsBefore: String(assets), assetsBeforeReason: null };
    },
  };

  function bookOf(family: FamilyConfig, chainId: number): QueueBook {
    const key = `${family.slug} ${chainId}`;
    const book = books.get(key) ?? createQueueBook({ db: store.reads, family, chainId, clock });
    books.set(key, book);
    return book;
  }

  /** What requests reserved; where they reserve nothing, what their shares are worth now. */
  async function worth(
    { slug, adapter }: FamilyConfig,
    chainId: number,
    { shares, assets }: PlaceInQueue,
  ): Promise<bigint | null> {
    if (KINDS[adapter].queue === 'events') return assets;
    if (shares === 0n) return 0n;
    const ratio = (await getNewestRatios(store.reads, [{ slug, chainId }]))(slug, chainId);
    return ratio === null ? null : worthOf(shares, ratio);
  }
}

function unknown(reason: NonNullable<Before['assetsBeforeReason']>): Before {
  return { assetsBefore: null, assetsBeforeReason: reason };
}
