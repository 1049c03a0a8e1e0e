import { STATUS_CODES } from 'node:http';
import { RpcError } from '../chain/rpcError.ts';
import { EventsGone } from '../domain/events/event.ts';
import { toIso } from '../domain/time.ts';
import { NodesUnavailable } from '../payments/chain/nodes.ts';
import { FacilitatorUnavailable } from '../payments/facilitator/facilitator.ts';
import { type Outage, StoreUnavailable } from '../store/storeUnavailable.ts';
import { NoDataThen, UnknownBlock } from './vault/asOfErrors.ts';

/** An error response: RFC 9457, application/problem+json. */
export interface Problem {
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail?: string;
  /** For programs, if the status is not specific enough. */
  readonly code?: string;
  /** For 400: the invalid parameters and why. */
  readonly errors?: readonly ParameterError[];
  /** For 400 if a name matches several nodes: their ids. */
  readonly candidates?: readonly string[];
  /** For 410: the URL that replaces this one. */
  readonly successor?: string | null;
  /** For 410 of a moment without data: the nearest one with data, ISO 8601; null if there is none. */
  readonly nearest?: string | null;
  /** For 503 of readiness: the state of every chain. */
  readonly chains?: readonly unknown[];
  /** Sent as a header, not in the body. */
  readonly retryAfterSeconds?: number;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ParameterError {
  readonly parameter: string;
  readonly reason: string;
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Invalid parameters, all of them. */
export class BadParameters extends Error {
  override readonly name = 'BadParameters';
  readonly errors: readonly ParameterError[];

  constructor(errors: readonly ParameterError[]) {
    super(errors.map(({ parameter, reason }) => `${parameter} ${reason}`).join('; '));
    this.errors = errors;
  }
}

/** A name with several matches; each candidate identifies one of them. */
export class Ambiguous extends BadParameters {
  readonly candidates: readonly string[];

  constructor(errors: readonly ParameterError[], candidates: readonly string[]) {
    super(errors);
    this.candidates = candidates;
  }
}

/** Nothing has that name; create the message with `noSuch` if possible. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

const LISTED = {
  'vault family': '/v1/vaults lists them',
  node: 'find them with /api/v1/agent/search',
  route: '/docs lists them',
  page: '/docs lists them',
  command: '"assay help" lists them',
  table: '/docs lists them',
} as const;

/**
 * Creates the message of a 404: what is missing, by name if several were requested, and which route lists the
 * existing ones.
 */
export function noSuch(what: keyof typeof LISTED, names: readonly string[] = []): string {
  const named = names.length === 0 ? '' : `: ${names.join(', ')}`;
  return `there is no such ${what}${named}; ${LISTED[what]}`;
}

/** It exists but was never read. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** Too many are in progress; the message says of what. */
export class TooMany extends Error {
  override readonly name = 'TooMany';
}

/** Chains whose initial backfill is not complete; the message names them. */
export class ChainsUnready extends Error {
  override readonly name = 'ChainsUnready';
  /** Every chain, including the ready ones. */
  readonly chains: readonly unknown[];

  constructor(message: string, chains: readonly unknown[]) {
    super(message);
    this.chains = chains;
  }
}

/** A route of the legacy API, with its successor. */
export class Gone extends Error {
  override readonly name = 'Gone';
  /** The exact new URL; null if there is no equivalent. */
  readonly successor: string | null;

  constructor(message: string, successor: string | null) {
    super(message);
    this.successor = successor;
  }
}

/** The end of the legacy API, in the formats of RFC 8594 and RFC 9745. */
export const LEGACY_API_ENDED = {
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

/** Outages that a client can distinguish from an unavailable database. */
const OUTAGES: Partial<Record<Outage, { readonly code: string; readonly detail: string }>> = {
  'read-only': {
    code: 'database_read_only',
    detail: 'the database is temporarily read-only; try again soon',
  },
  full: {
    code: 'database_full',
    detail: 'the database is full and rejects writes; try again later',
  },
};

/** How a reader whose events are no longer stored starts over without missing any. */
export const CURSOR_GONE =
  'Events after this cursor are not stored. Get a new cursor from /v1/events?after=latest, read /v1/history to its end, and continue from that cursor.';

/** The errors that are reported to clients. Any other is a 500 without details. */
export const PROBLEMS: readonly Mapping[] = [
  mapping(Ambiguous, ({ errors, message, candidates }) => ({
    ...problem(400, message),
    errors,
    candidates,
  })),
  mapping(BadParameters, ({ errors, message }) => ({
    ...problem(400, message),
    errors,
  })),
  mapping(NotFound, ({ message }) => problem(404, message)),
  mapping(NotReady, ({ message }) => ({ ...problem(503, message), retryAfterSeconds: 5 })),
  mapping(TooMany, ({ message }) => ({ ...problem(429, message), retryAfterSeconds: 30 })),
  mapping(ChainsUnready, ({ message, chains }) => ({
    ...problem(503, message),
    chains,
    retryAfterSeconds: 5,
  })),
  mapping(Gone, ({ message, successor }) => ({
    ...problem(410, message),
    successor,
    headers: {
      ...LEGACY_API_ENDED,
      ...(successor !== null && { link: `<${successor}>; rel="successor-version"` }),
    },
  })),
  mapping(UnknownBlock, ({ message }) => ({ ...problem(409, message), code: 'block_unknown' })),
  mapping(NoDataThen, ({ message, nearest }) => ({
    ...problem(410, message),
    code: 'no_data_then',
    nearest: nearest === null ? null : toIso(nearest),
  })),
  mapping(EventsGone, () => ({ ...problem(410, CURSOR_GONE), code: 'cursor_gone' })),
  mapping(StoreUnavailable, ({ outage }) => ({
    ...problem(
      503,
      OUTAGES[outage]?.detail ?? 'the database is temporarily unavailable; try again soon',
    ),
    ...(OUTAGES[outage] && { code: OUTAGES[outage].code }),
    retryAfterSeconds: 5,
  })),
  ...[FacilitatorUnavailable, NodesUnavailable].map((errorClass) =>
    mapping<Error>(errorClass, () => ({
      ...problem(503, 'payments cannot be verified at the moment; try again soon'),
      retryAfterSeconds: 5,
    })),
  ),
  mapping(RpcError, () => ({
    ...problem(503, 'a chain cannot be read at the moment; try again soon'),
    retryAfterSeconds: 5,
  })),
];

/** Creates a problem that is described by its HTTP status. */
export function problem(status: number, detail?: string): Problem {
  const title = STATUS_CODES[status] ?? 'Error';
  return { status, type: 'about:blank', title, ...(detail !== undefined && { detail }) };
}

export function toProblem(error: unknown): Problem {
  if (!(error instanceof Error)) return problem(500);
  const found = PROBLEMS.find(({ errorClass }) => error instanceof errorClass);
  if (found) return found.toProblem(error);
  // The framework's own rejections: the status is enough, and its text is not ours.
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
