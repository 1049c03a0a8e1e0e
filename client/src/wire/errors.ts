import type { Problem } from '../api/types.ts';

/** What each type of failure tells besides its message. */
export interface Failures {
  /** The caller's own signal fired. */
  aborted: object;
  /** No whole answer came in time. */
  timeout: { readonly timeoutMs: number };
  /** No answer came at all; `cause` has the reason of the platform. */
  network: object;
  /** The server answered with a redirect, which is never followed. */
  redirected: { readonly url: string };
  /** The server said what is wrong (RFC 9457). */
  problem: {
    readonly status: number;
    readonly problem: Problem;
    /** How long the server wants to be left alone. */
    readonly retryAfterSeconds: number | undefined;
  };
  /** An answer that is not what the interface says. */
  malformed: { readonly status: number };
  /** The client or the payer was set up wrongly. */
  config: object;
  /** A 402 whose invoice cannot be read. */
  invoice: object;
  /** The seller asks for what the payer's lists do not allow; nothing was signed. */
  not_allowed: {
    readonly what: 'scheme' | 'network' | 'asset' | 'recipient' | 'host' | 'resource' | 'amount';
    readonly found: string;
  };
  /** A cap would be exceeded; nothing was signed. */
  over_cap: {
    readonly cap: 'call' | 'period' | 'host' | 'total';
    readonly limit: bigint;
    /** Spent or reserved already. */
    readonly used: bigint;
    readonly asked: bigint;
  };
  /** The demo is paid with its own keys only. */
  demo_key: { readonly address: string };
  /** The signer failed; nothing was sent. */
  signer: object;
  /** The seller does not take the payment. What was signed stays reserved until it is proven unused. */
  refused: { readonly paymentId: string; readonly code: string };
  /** Whether the payment was charged is not known yet. Ask again: the same payment is sent, never a new one. */
  unresolved: { readonly paymentId: string };
  /** The seller says that it was paid, but what it sent is no answer. Ask again: the same payment is sent. */
  undelivered: { readonly paymentId: string };
  /** The store of the payer's spend cannot be used; nothing was signed after that. */
  store: object;
}

export type FailureType = keyof Failures;

/** Whatever this package throws. Told apart by `type`, which stays true where two copies of the package meet. */
export type AssayError<Type extends FailureType = FailureType> = {
  [T in Type]: Error & { readonly name: 'AssayError'; readonly type: T } & Failures[T];
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

/** Whether this package threw it; with a type, whether it is of that type. */
export function isAssayError<Type extends FailureType = FailureType>(
  error: unknown,
  type?: Type,
): error is AssayError<Type> {
  const { name, type: found } = (error ?? {}) as { name?: unknown; type?: unknown };
  return name === 'AssayError' && (type === undefined || found === type);
}
