import { mulDivDown } from '../domain/amount.ts';
import type { Address } from '../domain/hex.ts';
import { addQueues, NOTHING_QUEUED, type WalletQueue } from '../domain/vault/queue.ts';
import type { QueueRead, ReadQueue, RequestIds, Rounds, VaultOnChain } from './kind.ts';
import { NO_IDS } from './kind.ts';

/** Reads a wallet's queues in all vaults over the share; null if one of them did not respond. */
export function* readWalletQueue(
  read: ReadQueue,
  { found }: Pick<VaultOnChain, 'found'>,
  wallet: Address,
  ids: RequestIds,
): Rounds<{ readonly parts: readonly VaultQueue[]; readonly openIds: RequestIds } | null> {
  const parts: VaultQueue[] = [];
  const openIds = { redeem: [] as bigint[], deposit: [] as bigint[] };
  for (const vault of found.vaults) {
    // Request IDs belong to the family's own vault; the others are read in aggregate.
    const queue = yield* read(vault, wallet, vault === found.vaults[0] ? ids : NO_IDS);
    if (queue === null || queue.pendingRedeem === null || queue.pendingDeposit === null)
      return null;
    const { pendingRedeem, pendingDeposit } = queue;
    const claimableRedeem = queue.claimableRedeem ?? 0n;
    const known = { ...queue, pendingRedeem, pendingDeposit, claimableRedeem };
    parts.push({ queue: known, isForeign: !found.sameAsset.has(vault) });
    openIds.redeem.push(...queue.openIds.redeem);
    openIds.deposit.push(...queue.openIds.deposit);
  }
  return { parts, openIds };
}

export interface VaultQueue {
  readonly queue: QueueRead &
    Record<'pendingRedeem' | 'claimableRedeem' | 'pendingDeposit', bigint>;
  /** Whether its vault has another asset than the family. */
  readonly isForeign: boolean;
}

/** Returns the queue to store: values that a paused vault does not report are scaled from the previous ones. */
export function toStoredQueue(parts: readonly VaultQueue[], before: WalletQueue): WalletQueue {
  return parts.map((part) => toStored(part, before)).reduce(addQueues, NOTHING_QUEUED);
}

function toStored({ queue, isForeign }: VaultQueue, before: WalletQueue): WalletQueue {
  const { claimableRedeem, depositAssets } = queue;
  const depositShares =
    queue.depositShares ?? scaled(before.depositShares, depositAssets, before.depositAssets ?? 0n);
  const claimableAssets =
    queue.claimableRedeemAssets ??
    scaled(before.claimableRedeemAssets, claimableRedeem, before.claimableRedeem);
  return {
    pendingRedeem: queue.pendingRedeem,
    claimableRedeem,
    claimableRedeemAssets: isForeign ? 0n : claimableAssets,
    depositShares,
    depositAssets: isForeign && depositShares > 0n ? null : isForeign ? 0n : depositAssets,
    returning: queue.returning,
    pendingDeposit: isForeign ? 0n : queue.pendingDeposit,
    pendingFurther: isForeign ? queue.pendingDeposit : 0n,
  };
}

function scaled(amount: bigint, now: bigint, before: bigint): bigint {
  return before === 0n ? 0n : mulDivDown(amount, now, before);
}
