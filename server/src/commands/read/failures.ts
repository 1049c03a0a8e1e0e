import { type AssayError, isAssayError } from '@assay/client';
import { findNearest } from '../../config/nearest.ts';
import { cut, plain } from '../../terminal/text.ts';
import { EXIT, type ExitCode } from './exitCodes.ts';

/** The message and exit code of a failure. */
export interface ReadFailure {
  readonly text: string;
  readonly exitCode: ExitCode;
}

/** Maximum length of server text to print. */
const MAX_TEXT_LENGTH = 400;

/** Returns undefined if neither the server nor a payment failed. */
export function describeReadFailure(error: unknown, url: string): ReadFailure | undefined {
  // JSON that does not match the API is not from an Assay server.
  if (isWrongShape(error)) return strange(url);
  if (!isAssayError(error)) return undefined;
  switch (error.type) {
    case 'network':
      return {
        text: `no server responds at ${url}; start one there, or set --url`,
        exitCode: EXIT.noServer,
      };
    case 'timeout':
      return {
        text: `${url} did not respond within ${error.timeoutMs / 1000} s; try again later`,
        exitCode: EXIT.noServer,
      };
    case 'redirected':
      return {
        text: `${url} redirects to another URL, which is not followed; set --url to the final URL`,
        exitCode: EXIT.noServer,
      };
    case 'malformed':
      return strange(url);
    case 'cursor_gone':
      return {
        text: 'the events after this cursor are not stored; use --after latest, then read assay history to its end',
        exitCode: EXIT.failed,
      };
    case 'problem':
      return describeProblem(error);
    default:
      return { text: sanitizeServerText(error.message), exitCode: EXIT.failed };
  }
}

function isWrongShape(error: unknown): boolean {
  return [TypeError, SyntaxError, RangeError].some((known) => error instanceof known);
}

function strange(url: string): ReadFailure {
  return {
    text: `${url} is not an Assay server; check --url`,
    exitCode: EXIT.noServer,
  };
}

function describeProblem({
  status,
  problem,
  retryAfterSeconds,
}: AssayError<'problem'>): ReadFailure {
  // A proxy in front of the server may omit both.
  const detail = sanitizeServerText(`${problem.detail ?? problem.title ?? 'no reason given'}`);
  if (status === 400) {
    const reasons = problem.errors?.map(({ parameter, reason }) => `${parameter} ${reason}`);
    return { text: sanitizeServerText(reasons?.join('; ') ?? detail), exitCode: EXIT.usage };
  }
  if (status === 404) return { text: detail, exitCode: EXIT.notFound };
  if (status === 403) return { text: detail, exitCode: EXIT.notPaid };
  const later = retryAfterSeconds === undefined ? 'later' : `in ${Math.ceil(retryAfterSeconds)} s`;
  const advice = status === 429 || status >= 500 ? `; try again ${later}` : '';
  return { text: `the server returned ${status}: ${detail}${advice}`, exitCode: EXIT.failed };
}

/** Lists the known slugs in place of a 404. */
export function unknownFamily(slug: string, known: readonly string[]): ReadFailure {
  const nearest = findNearest(slug, known);
  const all =
    known.length === 0 ? 'the server has none' : `known families: ${known.map(plain).join(', ')}`;
  const advice =
    nearest === undefined ? cut(all, MAX_TEXT_LENGTH) : `did you mean ${plain(nearest)}?`;
  return {
    text: `there is no vault family ${JSON.stringify(slug)}; ${advice}`,
    exitCode: EXIT.notFound,
  };
}

/** Makes server text safe for a terminal: one line without control characters. */
export function sanitizeServerText(text: string): string {
  return cut(plain(text), MAX_TEXT_LENGTH);
}
