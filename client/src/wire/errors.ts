import type { Problem } from '../api/types.ts';

/** Fields of each error type, in addition to the message. */
export interface Failures {
  /** The caller aborted the call. */
  aborted: object;
  /** No complete response arrived in time. */
  timeout: { readonly timeoutMs: number };
  /** No response arrived; `cause` has the platform's error. */
  network: object;
  /** The server returned a redirect. Redirects are never followed. */
  redirected: { readonly url: string };
  /** The server returned a problem (RFC 9457). */
  problem: {
    readonly status: number;
    readonly problem: Problem;
    /** From `Retry-After`. */
    readonly retryAfterSeconds: number | undefined;
  };
  /** The events after this cursor are not stored anymore; `cursor` is undefined for the oldest stored event. */
  cursor_gone: { readonly cursor: string | undefined };
  /** The response does not match the API. */
  malformed: { readonly status: number };
  /** The options of the client or the payer are invalid. */
  config: object;
  /** The invoice of a 402 is invalid. */
  invoice: object;
  /** The payer's allow lists do not permit the payment; nothing was signed. */
  not_allowed: {
    readonly what: 'scheme' | 'network' | 'asset' | 'recipient' | 'host' | 'resource' | 'amount';
    readonly found: string;
  };
  /** The payment would exceed a cap; nothing was signed. */
  over_cap: {
    readonly cap: 'call' | 'period' | 'host' | 'total' | 'limit';
    readonly limit: bigint;
    /** Already spent or reserved. */
    readonly used: bigint;
    readonly asked: bigint;
  };
  /** The `beforeSign` hook declined or failed; nothing was signed. */
  declined: object;
  /** The demo accepts only the demo's keys; nothing was signed. */
  demo_key: { readonly address: string };
  /** The signer failed; nothing was sent. */
  signer: object;
  /** The seller rejected the payment. The same payment is sent again by the next call, never a new one. */
  refused: { readonly paymentId: string; readonly code: string };
  /** It is not known yet whether the payment was charged. Call again: the same payment is sent, never a new one. */
  unresolved: { readonly paymentId: string };
  /** The seller accepted the payment, but its response is invalid. Call again: the same payment is sent. */
  undelivered: { readonly paymentId: string };
  /** The spend store failed; nothing was signed after that. */
  store: object;
}

export type FailureType = keyof Failures;

/** A payment that was sent and is not resolved. */
export interface SentPayment {
  readonly id: string;
  /** Maximum amount that can be charged. */
  readonly amount: bigint;
  /** Unix seconds after which it can no longer be charged. It may have been charged before. */
  readonly chargeableUntil: number;
}

/**
 * An error thrown by this package. Check its `type`, not its class, which differs between two copies of the package.
 * `payment` is set after a signature was sent, unless the payment is known to be unused.
 */
export type AssayError<Type extends FailureType = FailureType> = {
  [T in Type]: Error & {
    readonly name: 'AssayError';
    readonly type: T;
    readonly payment?: SentPayment | undefined;
  } & Failures[T];
}[Type];

export function failure<Type extends FailureType>(
  type: Type,
  message: string,
  details: Failures[Type],
  cause?: unknown,
): AssayError<Type> {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  return Object.assign(error, { name: 'AssayError', type }, details) as AssayError<Type>;
}

/** Adds the payment that an error leaves open, if any. Keeps a payment that was added before. */
export function withPayment<Thrown>(error: Thrown, payment: SentPayment | undefined): Thrown {
  if (isAssayError(error) && !('payment' in error)) Object.assign(error, { payment });
  return error;
}

/**
 * Returns whether this package threw the error and, with a type, whether it has that type.
 *
 * @example
 * const error = await getVault(client, { slug: 'unknown' }).catch((error) => error);
 * if (isAssayError(error, 'problem')) console.log(error.status);
 */
export function isAssayError<Type extends FailureType = FailureType>(
  error: unknown,
  type?: Type,
): error is AssayError<Type> {
  const { name, type: found } = (error ?? {}) as { name?: unknown; type?: unknown };
  return name === 'AssayError' && (type === undefined || found === type);
}
