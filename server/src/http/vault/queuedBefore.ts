import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { worthOf } from '../../domain/vault/ratio.ts';
import type { PlaceInQueue } from '../../domain/vault/waits.ts';
import { notices } from '../../store/notices/notices.ts';
import { getNewestRatios } from '../../store/prices/read.ts';
import type { Store } from '../../store/store.ts';
import { KINDS } from '../../vaults/index.ts';
import type { RedeemEntry } from './pendingRedeemsSchema.ts';
import { createQueueBook, type QueueBook } from './queueBook.ts';

export type Before = Pick<
  RedeemEntry,
  'assetsAhead' | 'assetsAheadReason' | 'assetsBefore' | 'assetsBeforeReason'
>;
type Entry = Omit<RedeemEntry, keyof Before>;

export interface QueuesBefore {
  /**
   * Returns what is queued before a wallet's redemption, and what the redemption reserved if its vault fixes that at the
   * request and has no call that returns it.
   */
  of(wallet: Address, entry: Entry): Promise<Before & Partial<Pick<Entry, 'requestedAssets'>>>;
}

/** Tracks the pending requests of each family's queue, first in, first out. `clock` returns monotonic milliseconds. */
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
      // If only transfers are known, claimable requests are queued as well.
      const isBooked = KINDS[family.adapter].queue === 'transfers';
      const own = shares + BigInt((isBooked && entry.claimableShares) || 0);
      if (queued.own !== own) return unknown('not-indexed');
      const isFixed =
        KINDS[family.adapter].queue === 'calls' &&
        (await notices.has(store.reads, family.slug, entry.chainId, 'fixed-request'));
      const { ownAssets } = queued;
      const reserved =
        isFixed && ownAssets !== null ? { requestedAssets: String(ownAssets) } : undefined;
      const assets = isFixed ? queued.assets : await worth(family, entry.chainId, queued);
      if (assets === null) return { ...reserved, ...unknown('unpriced') };
      return { ...reserved, ...present(String(assets), null) };
    },
  };

  function bookOf(family: FamilyConfig, chainId: number): QueueBook {
    const key = `${family.slug} ${chainId}`;
    const isOut = () => store.health.outage() !== undefined;
    const queue = { db: store.reads, clock, isOut };
    const book = books.get(key) ?? createQueueBook({ ...queue, family, chainId });
    books.set(key, book);
    return book;
  }

  /** The reserved amount of the requests; without one, the current value of their shares. */
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

function unknown(reason: NonNullable<Before['assetsAheadReason']>): Before {
  return present(null, reason);
}

/** Returns the values under both names while the former ones are deprecated. */
function present(
  assetsAhead: Before['assetsAhead'],
  assetsAheadReason: Before['assetsAheadReason'],
): Before {
  return {
    assetsAhead,
    assetsAheadReason,
    assetsBefore: assetsAhead,
    assetsBeforeReason: assetsAheadReason,
  };
}
