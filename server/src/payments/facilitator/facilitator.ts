import type { Address, Hex } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

/** Verifies payments and settles them on chain, with the operator's keys or through a service. */
export interface Facilitator {
  readonly kind: 'embedded' | 'remote';
  /**
   * Whether the payment would settle now. If so, resources are reserved for it until it is settled or forgotten. Throws
   * FacilitatorUnavailable if that cannot be determined. Work that needs an RPC endpoint or a service runs in a turn.
   */
  verify(payment: SignedAuthorization, turn?: Turn): Promise<Verification>;
  /** Why no payment of this payer is verified now; makes no request. */
  getThrottle?(payer: Address): Extract<Verification, { ok: false }> | undefined;
  /** Releases what verification reserved; does nothing after a settlement. */
  forget(payment: SignedAuthorization): void;
  /** Never throws: a failure midway is `unknown`. */
  settle(payment: SignedAuthorization): Promise<Settlement>;
  close(): Promise<void>;
}

/** Runs work when its turn comes. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs work immediately. */
export const atOnce: Turn = (work) => work();

export type Verification =
  | { readonly ok: true }
  /**
   * `code` is lower case with underscores, never a library's text. With `retryAfterSeconds`, only the time is wrong.
   */
  | { readonly ok: false; readonly code: string; readonly retryAfterSeconds?: number };

export type Settlement =
  | { readonly outcome: 'settled'; readonly transaction: Hex }
  /** Not charged, and nothing is in flight that could still charge. */
  | { readonly outcome: 'refused'; readonly code: string }
  /**
   * Not known yet: read the chain until the authorization is used or has expired. `retryable`: it failed before a known
   * transaction was sent, so a retry may succeed.
   */
  | { readonly outcome: 'unknown'; readonly retryable?: boolean };

/** An RPC endpoint or a service did not respond. Nothing was charged. */
export class FacilitatorUnavailable extends Error {
  override readonly name = 'FacilitatorUnavailable';

  constructor(options?: ErrorOptions) {
    super('payments cannot be checked at the moment; try again soon', options);
  }
}
