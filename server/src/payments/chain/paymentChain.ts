import type { Hex } from '../../domain/hex.ts';
import type { Authorization, SignedAuthorization } from '../authorization/payment.ts';

/** What the chain says of authorizations: the last word in every doubt. */
export interface PaymentChain {
  /**
   * What became of it. `fromBlock` is a block before which it cannot have been used. A cancelled authorization and
   * one that was used for another transfer look used too, but paid nobody here.
   */
  fateOf(authorization: Authorization, fromBlock: number): Promise<Fate>;
  /** Whether neither it nor its cancelling is on chain so far. */
  isUnused(authorization: Authorization): Promise<boolean>;
  /** By a smart wallet: EIP-1271, or EIP-6492 before it is deployed. Not for plain keys, which need no chain. */
  isSignedByWallet(payment: SignedAuthorization): Promise<boolean>;
  /** A recent head, at most a few seconds old; it may be a little behind one that was seen before. */
  head(): Promise<{ readonly number: number; readonly time: number }>;
  /** Of a block that the chain has, in Unix seconds. */
  timeOf(block: number): Promise<number>;
}

export type Fate =
  | { readonly fate: 'unused' }
  /** Our address got the value. */
  | { readonly fate: 'paid'; readonly transaction: Hex; readonly blockNumber: number }
  | { readonly fate: 'void' };
