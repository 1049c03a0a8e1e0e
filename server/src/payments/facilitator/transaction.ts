import type { Address, Hex } from '../../domain/hex.ts';
import type { Receipt } from '../chain/receipt.ts';
import type { Fees } from './fees.ts';

/** A transaction for a key to send. */
export interface Transaction {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  /** The chain's time from which on it can only fail, in Unix seconds. */
  readonly deadline: number;
  /** Fees of the first attempt. Default: the current fees. */
  readonly fees?: Fees;
  /** Called when it is mined, even if its caller no longer waits. */
  mined?(receipt: Receipt): void;
}

/** The result of sending a transaction. */
export type Sent =
  | { readonly outcome: 'mined'; readonly receipt: Receipt }
  /** Never accepted by any RPC endpoint. */
  | { readonly outcome: 'refused'; readonly code: SendRefusal }
  | { readonly outcome: 'unknown' };

export type SendRefusal =
  | 'facilitator_unavailable'
  | 'facilitator_out_of_gas'
  | 'network_fees_too_high';
