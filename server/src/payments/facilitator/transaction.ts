import type { Address, Hex } from '../../domain/hex.ts';
import type { Receipt } from '../chain/receipt.ts';
import type { Fees } from './fees.ts';

/** What a key is to send. */
export interface Transaction {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  /** Unix seconds of the chain from which on it can only fail. */
  readonly deadline: number;
  /** At first; those of the moment unless told. */
  readonly fees?: Fees;
  /** Told whenever it is mined, also when nobody waits for it any more. */
  mined?(receipt: Receipt): void;
}

/** What became of it. */
export type Sent =
  | { readonly outcome: 'mined'; readonly receipt: Receipt }
  /** Never taken by any node. */
  | { readonly outcome: 'refused'; readonly code: SendRefusal }
  | { readonly outcome: 'unknown' };

export type SendRefusal =
  | 'facilitator_unavailable'
  | 'facilitator_out_of_gas'
  | 'network_fees_too_high';
