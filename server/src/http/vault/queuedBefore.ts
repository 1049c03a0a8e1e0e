import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { DAY } from '../../domain/time.ts';
import { worthOf } from '../../domain/vault/ratio.ts';
import { measureWaits, queuedBefore, type WaitingRequest } from '../../domain/vault/waits.ts';
import { getNewestRatios } from '../../store/prices/read.ts';
import type { Store } from '../../store/store.ts';
import { KINDS } from '../../vaults/index.ts';
import { QUEUE_DAYS, type RedeemEntry } from './pendingRedeemsSchema.ts';
import { loadQueueSteps } from './queueSteps.ts';

/** A queue is read from the store at most so often, however many ask for it. */
const KEPT_MS = 5_000;

export type Before = Pick<RedeemEntry, 'assetsBefore' | 'assetsBeforeReason'>;

export interface QueuesBefore {
  /** What is queued before a wallet's redemption. */
  of(wallet: Address, entry: Omit<RedeemEntry, keyof Before>, now: number): Promise<Before>;
}

/** Knows what waits in each family's queue, first in first out. `clock` gives milliseconds that never go back. */
export function createQueuesBefore(
  { config, store }: { readonly config: Config; readonly store: Store },
  clock: () => number = () => performance.now(),
): QueuesBefore {
  const kept = new Map<string, { at: number; waiting: Promise<readonly WaitingRequest[]> }>();

  return {
    async of(wallet, entry, now) {
      const family = config.families.find(({ slug }) => slug === entry.family)!;
      const shares = BigInt(entry.shares);
      if (shares === 0n) return unknown('claimable');
      const place = family.chains.find(({ chainId }) => chainId === entry.chainId)!;
      if (place.vaults.length > 0) return unknown('several-vaults');
      const { own, before } = queuedBefore(await load(family, now), entry.chainId, wallet);
      if (own !== shares) return unknown('not-indexed');
      const assets = await worth(family, entry.chainId, before);
      if (assets === null) return unknown('unpriced');
      return { assetsBefore: String(assets), assetsBeforeReason: null };
    },
  };

  function load(family: FamilyConfig, now: number): Promise<readonly WaitingRequest[]> {
    const known = kept.get(family.slug);
    if (known !== undefined && clock() - known.at < KEPT_MS) return known.waiting;
    const waiting = loadQueueSteps(store.reads, family, now - QUEUE_DAYS * DAY).then(
      (steps) => measureWaits(steps, now).waiting,
    );
    kept.set(family.slug, { at: clock(), waiting });
    waiting.catch(() => kept.delete(family.slug));
    return waiting;
  }

  /** What requests reserved; where they reserve nothing, what their shares are worth now. */
  async function worth(
    { slug, adapter }: FamilyConfig,
    chainId: number,
    requests: readonly WaitingRequest[],
  ): Promise<bigint | null> {
    if (KINDS[adapter].queue === 'events') {
      return requests.reduce<bigint | null>(
        (sum, { assets }) => (sum === null || assets === null ? null : sum + assets),
        0n,
      );
    }
    const shares = requests.reduce((sum, one) => sum + one.shares, 0n);
    if (shares === 0n) return 0n;
    const ratio = (await getNewestRatios(store.reads, [{ slug, chainId }]))(slug, chainId);
    return ratio === null ? null : worthOf(shares, ratio);
  }
}

function unknown(reason: NonNullable<Before['assetsBeforeReason']>): Before {
  return { assetsBefore: null, assetsBeforeReason: reason };
}
