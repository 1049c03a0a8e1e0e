/** What a wallet has waiting at a vault, in shares, as the contract itself says. */
export interface WalletQueue {
  /** Asked to be redeemed, not settled yet. */
  readonly pendingRedeem: bigint;
  /** Settled, and not claimed yet. */
  readonly claimableRedeem: bigint;
  /** What that claim will pay. */
  readonly claimableRedeemAssets: bigint;
  /** Of deposits that were settled and not claimed yet. */
  readonly depositShares: bigint;
  /** What those shares were paid with; null where that is not the family's base asset. */
  readonly depositAssets: bigint | null;
  /** Of cancelled redemptions, until they are fetched. */
  readonly returning: bigint;
  /** Assets that wait to become shares. */
  readonly pendingDeposit: bigint;
  /** The same in another asset, at further vaults over the share. */
  readonly pendingFurther: bigint;
}

export const NOTHING_QUEUED: WalletQueue = {
  pendingRedeem: 0n,
  claimableRedeem: 0n,
  claimableRedeemAssets: 0n,
  depositShares: 0n,
  depositAssets: 0n,
  returning: 0n,
  pendingDeposit: 0n,
  pendingFurther: 0n,
};

/** Shares that are the wallet's although its balance does not show them. */
export function sharesQueued(queue: WalletQueue): bigint {
  return queue.pendingRedeem + queue.claimableRedeem + queue.depositShares + queue.returning;
}

/** Assets that were handed over and whose shares were not claimed; null where some are of another asset. */
export function assetsQueued({ pendingDeposit, depositAssets }: WalletQueue): bigint | null {
  return depositAssets === null ? null : pendingDeposit + depositAssets;
}

/** Whether what the vault settles can change it. */
export function isOpen(queue: WalletQueue): boolean {
  return sharesQueued(queue) + queue.pendingDeposit + queue.pendingFurther > 0n;
}

export function sameQueue(a: WalletQueue, b: WalletQueue): boolean {
  return (Object.keys(a) as (keyof WalletQueue)[]).every((key) => a[key] === b[key]);
}

/** All that waits in several vaults over one share. */
export function addQueues(a: WalletQueue, b: WalletQueue): WalletQueue {
  const known = a.depositAssets !== null && b.depositAssets !== null;
  return {
    pendingRedeem: a.pendingRedeem + b.pendingRedeem,
    claimableRedeem: a.claimableRedeem + b.claimableRedeem,
    claimableRedeemAssets: a.claimableRedeemAssets + b.claimableRedeemAssets,
    depositShares: a.depositShares + b.depositShares,
    depositAssets: known ? a.depositAssets! + b.depositAssets! : null,
    returning: a.returning + b.returning,
    pendingDeposit: a.pendingDeposit + b.pendingDeposit,
    pendingFurther: a.pendingFurther + b.pendingFurther,
  };
}
