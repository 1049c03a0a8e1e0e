import type { Hex } from '../../domain/hex.ts';
import type { Authorization, SignedAuthorization } from '../authorization/payment.ts';

/** Reads authorizations from the chain, which decides whenever the status of a payment is in doubt. */
export interface PaymentChain {
  /**
   * Returns its on-chain status. `fromBlock` is a block before which it cannot have been used. The chain also shows a
   * cancelled authorization, or one used for another transfer, as used, but it paid nothing here.
   */
  getOnChainStatus(authorization: Authorization, fromBlock: number): Promise<OnChainStatus>;
  /** Whether this transaction paid it; null if the transaction is not known to be mined. */
  isPaidBy(authorization: Authorization, transaction: Hex): Promise<boolean | null>;
  /** Whether the chain shows neither its use nor its cancellation. */
  isUnused(authorization: Authorization): Promise<boolean>;
  /** Verifies a smart wallet's signature: EIP-1271, or EIP-6492 before deployment. Plain keys need no chain. */
  isSignedByWallet(payment: SignedAuthorization): Promise<boolean>;
  /** Returns a head at most a few seconds old; it can be slightly behind an earlier one. */
  head(): Promise<BlockTime>;
  /** Returns the time of a block that the chain has, in Unix seconds. */
  timeOf(block: number): Promise<number>;
  /** Returns a block shortly before this time, or the first block if the chain is younger. */
  blockBefore(time: number): Promise<number>;
}

/** A block, with its time in Unix seconds. */
export interface BlockTime {
  readonly number: number;
  readonly time: number;
}

export type OnChainStatus =
  /** `at`: the block whose state was read. */
  | { readonly status: 'unused'; readonly at: BlockTime }
  /** The recipient received the value. */
  | { readonly status: 'paid'; readonly transaction: Hex; readonly blockNumber: number }
  /** `earlier`: it was used before `fromBlock`, for an unknown purpose. */
  | { readonly status: 'void'; readonly earlier?: true };
