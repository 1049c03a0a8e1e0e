import type { Hex } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

/** Who checks payments and brings them on chain: ourselves, or a service. */
export interface Facilitator {
  readonly kind: 'embedded' | 'remote';
  /**
   * Whether it would settle now. After a yes what it takes is kept for it, until it is settled or forgotten. Throws
   * FacilitatorUnavailable when nobody can say.
   */
  verify(payment: SignedAuthorization): Promise<Verification>;
  /** It will not be settled after all; nothing, when it was. */
  forget(payment: SignedAuthorization): void;
  /** Never throws: what went wrong half way is `unknown`. */
  settle(payment: SignedAuthorization): Promise<Settlement>;
  close(): Promise<void>;
}

export type Verification =
  | { readonly ok: true }
  /** A lower-case code with underscores; never a library's text. With a time: nothing is wrong with it but that. */
  | { readonly ok: false; readonly code: string; readonly retryAfterSeconds?: number };

export type Settlement =
  | { readonly outcome: 'settled'; readonly transaction: Hex }
  /** Surely not charged, and nothing in flight that could still charge. */
  | { readonly outcome: 'refused'; readonly code: string }
  /**
   * Nobody can say yet: the chain must be asked until the authorization is used or has expired. `again`: it failed
   * before it came to a transaction that is known, and may do better when asked once more.
   */
  | { readonly outcome: 'unknown'; readonly again?: boolean };

/** Neither yes nor no: a node or a service did not answer. Nothing was charged. */
export class FacilitatorUnavailable extends Error {
  override readonly name = 'FacilitatorUnavailable';

  constructor(options?: ErrorOptions) {
    super('payments cannot be checked at the moment; try again soon', options);
  }
}
