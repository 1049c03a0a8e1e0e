import { STATUS_CODES } from 'node:http';
import { RpcError } from '../chain/rpcError.ts';
import { NodesUnavailable } from '../payments/chain/nodes.ts';
import { FacilitatorUnavailable } from '../payments/facilitator/facilitator.ts';
import { WalletChecksBusy } from '../payments/gate/signed.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';

/** An answer that says what went wrong: RFC 9457, application/problem+json. */
export interface Problem {
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail?: string;
  /** For programs, where the status does not say enough. */
  readonly code?: string;
  /** For 400: which parameters, and why. */
  readonly errors?: readonly ParameterError[];
  /** For 410: the URL that replaces this one. */
  readonly successor?: string | null;
  /** For 503 of readiness: the state of every chain. */
  readonly chains?: readonly unknown[];
  /** Sent as a header, not in the body. */
  readonly retryAfterSeconds?: number;
  /** More of them. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ParameterError {
  readonly parameter: string;
  readonly reason: string;
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Parameters that cannot be used; every one of them is named. */
export class BadParameters extends Error {
  override readonly name = 'BadParameters';
  readonly errors: readonly ParameterError[];

  constructor(errors: readonly ParameterError[]) {
    super(errors.map(({ parameter, reason }) => `${parameter} ${reason}`).join('; '));
    this.errors = errors;
  }
}

/** There is nothing under that name; the message says what was looked for. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

/** It exists but has never been read yet. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** Chains whose past is still being read for the first time; the message names them. */
export class ChainsUnready extends Error {
  override readonly name = 'ChainsUnready';
  /** Every chain, the ready ones too. */
  readonly chains: readonly unknown[];

  constructor(message: string, chains: readonly unknown[]) {
    super(message);
    this.chains = chains;
  }
}

/** A route of the previous API: where its successor is. */
export class Gone extends Error {
  override readonly name = 'Gone';
  /** The exact new URL; null where there is no equivalent. */
  readonly successor: string | null;

  constructor(message: string, successor: string | null) {
    super(message);
    this.successor = successor;
  }
}

/** The last moment of the previous API, as RFC 8594 and RFC 9745 write it. */
export const PREVIOUS_API_ENDED = {
  sunset: 'Wed, 30 Sep 2026 23:59:59 GMT',
  deprecation: '@1790812799',
} as const;

// biome-ignore lint/suspicious/noExplicitAny: the arguments of a class that is only compared
type ErrorClass<E extends Error> = abstract new (...args: any[]) => E;

interface Mapping {
  readonly errorClass: ErrorClass<Error>;
  readonly toProblem: (error: Error) => Problem;
}

function mapping<E extends Error>(
  errorClass: ErrorClass<E>,
  toProblem: (error: E) => Problem,
): Mapping {
  return { errorClass, toProblem: toProblem as (error: Error) => Problem };
}

/** The errors that a client is told about. Any other is a bare 500. */
export const PROBLEMS: readonly Mapping[] = [
  mapping(BadParameters, ({ errors, message }) => ({
    ...problem(400, message),
    errors,
  })),
  mapping(NotFound, ({ message }) => problem(404, message)),
  mapping(NotReady, ({ message }) => ({ ...problem(503, message), retryAfterSeconds: 5 })),
  mapping(ChainsUnready, ({ message, chains }) => ({
    ...problem(503, message),
    chains,
    retryAfterSeconds: 5,
  })),
  mapping(Gone, ({ message, successor }) => ({
    ...problem(410, message),
    successor,
    headers: {
      ...PREVIOUS_API_ENDED,
      ...(successor !== null && { link: `<${successor}>; rel="successor-version"` }),
    },
  })),
  mapping(StoreUnavailable, () => ({
    ...problem(503, 'the database cannot be used at the moment; try again soon'),
    retryAfterSeconds: 5,
  })),
  ...[FacilitatorUnavailable, NodesUnavailable, WalletChecksBusy].map((errorClass) =>
    mapping<Error>(errorClass, () => ({
      ...problem(503, 'payments cannot be checked at the moment; nothing was charged'),
      retryAfterSeconds: 5,
    })),
  ),
  mapping(RpcError, () => ({
    ...problem(503, 'a chain cannot be read at the moment; try again soon'),
    retryAfterSeconds: 5,
  })),
];

/** A problem that its HTTP status describes. */
export function problem(status: number, detail?: string): Problem {
  const title = STATUS_CODES[status] ?? 'Error';
  return { status, type: 'about:blank', title, ...(detail !== undefined && { detail }) };
}

export function toProblem(error: unknown): Problem {
  if (!(error instanceof Error)) return problem(500);
  const found = PROBLEMS.find(({ errorClass }) => error instanceof errorClass);
  if (found) return found.toProblem(error);
  // The framework's own refusals of a request: the status says enough, its text is not ours.
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_BAD_URL') return toProblem(BAD_PATH);
  const refused = typeof code === 'string' && code.startsWith('FST_');
  if (refused && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return problem(statusCode);
  }
  return problem(500);
}

const BAD_PATH = new BadParameters([{ parameter: 'path', reason: 'is not percent-encoded UTF-8' }]);

export function problemBody(answer: Problem): string {
  const { type, title, status, retryAfterSeconds: _, headers: __, ...rest } = answer;
  return JSON.stringify({ type, title, status, ...rest });
}
