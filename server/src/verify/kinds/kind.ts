import type { Address, Hex } from '../../domain/hex.ts';
import type { ReadPart } from '../familyOnChain.ts';

/** Shares that are a wallet's although its balance does not show them, by the contract's own word. */
export interface Waiting {
  /** Asked to be redeemed, and still shares. */
  readonly pending: bigint;
  /** Redeemed and not fetched: mostly burned already. */
  readonly claimable: bigint;
  /** Of deposits that were settled and not fetched. */
  readonly deposits: bigint;
  /** Of redemptions that were cancelled and not fetched. */
  readonly returning: bigint;
  /** Why the contract cannot be asked now; null when all of it is known. */
  readonly unknown: string | null;
}

export const NOTHING_WAITING: Waiting = {
  pending: 0n,
  claimable: 0n,
  deposits: 0n,
  returning: 0n,
  unknown: null,
};

/** What a vault says of itself at a block, besides its total and its supply. */
export interface OwnWord {
  /** Null where no call tells. */
  readonly pendingRedemptionAssets: bigint | null;
  /** Of the base asset in the vault's hands, what it owes to redemptions that only wait to be fetched. */
  readonly setAside: bigint;
  /** False where what it holds may be for others still, such as deposits that wait: idle is then at most the rest. */
  readonly holdsOwnOnly: boolean;
}

/** How one kind of vault is asked; nothing of it is taken from the kinds that the indexer knows. */
export interface KindReads {
  /** First topics that the indexer turns into facts, or that say nothing of what anybody has. */
  readonly topics: ReadonlySet<Hex>;
  /** Whom to ask about, so that nobody who has anything waiting is left out. */
  waiters(part: ReadPart, block: number): readonly Address[];
  waiting(
    part: ReadPart,
    block: number,
    wallets: readonly Address[],
  ): Promise<ReadonlyMap<Address, Waiting>>;
  /** What a queue outside of the vault owes a wallet in assets; null where the vault names none. */
  outside?(
    part: ReadPart,
    block: number,
    wallet: Address,
  ): Promise<{ readonly pendingAssets: bigint; readonly claimableAssets: bigint } | null>;
  /** Accounts that hold for others, as the contracts themselves name them. */
  findCustody(part: ReadPart, block: number): Promise<readonly Address[]>;
  /** Whose price a position is worth now: the snapshot's, or one that was published since. */
  readonly pricedAt: 'tick' | 'newest';
  /** Whether every share in the named custody accounts is known by calls to be waiting for somebody. */
  readonly custodyIsAsked: boolean;
  read(part: ReadPart, block: number): Promise<OwnWord>;
}

export function sharesOf({ pending, claimable, deposits, returning }: Waiting): bigint {
  return pending + claimable + deposits + returning;
}

export function plus(a: Waiting, b: Waiting): Waiting {
  return {
    pending: a.pending + b.pending,
    claimable: a.claimable + b.claimable,
    deposits: a.deposits + b.deposits,
    returning: a.returning + b.returning,
    unknown: a.unknown ?? b.unknown,
  };
}
