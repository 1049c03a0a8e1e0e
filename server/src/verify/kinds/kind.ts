import type { Address, Hex } from '../../domain/hex.ts';
import type { DeploymentReads } from '../deployment.ts';

/** A wallet's shares that its balance does not include, as the contract reports them. */
export interface PendingShares {
  /** Requested for redemption, not burned yet. */
  readonly pending: bigint;
  /** Of these, the number that their requests burned; undefined if only transfers show whether they do. */
  readonly burned?: bigint;
  /** Redeemed and claimable: mostly burned already. */
  readonly claimable: bigint;
  /** Of settled deposits that were not claimed. */
  readonly deposits: bigint;
  /** Of cancelled redemptions that were not claimed. */
  readonly returning: bigint;
  /** Why the contract cannot be read now; null if the amounts are complete. */
  readonly unknown: string | null;
}

export const NOTHING_PENDING: PendingShares = {
  pending: 0n,
  claimable: 0n,
  deposits: 0n,
  returning: 0n,
  unknown: null,
};

/** State that a vault reports at a block, in addition to its total and its supply. */
export interface ReportedState {
  /** Null if no call returns it. */
  readonly pendingRedemptionAssets: bigint | null;
  /** Of the vault's balance of the base asset, the amount of claimable redemptions. */
  readonly reserved: bigint;
  /** False if its balance may include assets of others, such as pending deposits: then idle is at most the rest. */
  readonly holdsOwnOnly: boolean;
}

/** Reads one kind of vault; independent of the indexer's code for kinds. */
export interface KindReads {
  /** First topics that the indexer decodes, or that do not affect holdings. */
  readonly topics: ReadonlySet<Hex>;
  /** The wallets to read, so that no wallet with pending shares is missing. */
  pendingWallets(deployment: DeploymentReads, block: number): readonly Address[];
  readPending(
    deployment: DeploymentReads,
    block: number,
    wallets: readonly Address[],
  ): Promise<ReadonlyMap<Address, PendingShares>>;
  /** The debt of a queue outside the vault to a wallet, in assets; null if the vault reports no such queue. */
  outside?(
    deployment: DeploymentReads,
    block: number,
    wallet: Address,
  ): Promise<{ readonly pendingAssets: bigint; readonly claimableAssets: bigint } | null>;
  /** Accounts that hold shares for others, as the contracts report them. */
  findCustody(deployment: DeploymentReads, block: number): Promise<readonly Address[]>;
  /** The price that a position is valued at: the snapshot's, or a later one. */
  readonly pricedAt: 'tick' | 'newest';
  /** Whether calls prove that every share in the configured custody accounts is pending for a wallet. */
  readonly custodyIsAsked: boolean;
  read(deployment: DeploymentReads, block: number): Promise<ReportedState>;
}

export function sharesOf({ pending, claimable, deposits, returning }: PendingShares): bigint {
  return pending + claimable + deposits + returning;
}

export function plus(a: PendingShares, b: PendingShares): PendingShares {
  const isKnown = a.burned !== undefined || b.burned !== undefined;
  return {
    pending: a.pending + b.pending,
    ...(isKnown && { burned: (a.burned ?? 0n) + (b.burned ?? 0n) }),
    claimable: a.claimable + b.claimable,
    deposits: a.deposits + b.deposits,
    returning: a.returning + b.returning,
    unknown: a.unknown ?? b.unknown,
  };
}
