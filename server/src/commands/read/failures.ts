import { type AssayError, isAssayError } from '@assay/client';
import { findNearest } from '../../config/nearest.ts';
import { cut, plain } from '../../terminal/text.ts';
import { EXIT, type ExitCode } from './exitCodes.ts';

/** What to tell of a failure: one line, and the code to end with. */
export interface ReadFailure {
  readonly text: string;
  readonly exitCode: ExitCode;
}

/** Of a server's words no more is shown. */
const MOST_WORDS = 400;

/** Undefined for what is no failure of a server or a payment, but one of ours. */
export function describeReadFailure(error: unknown, url: string): ReadFailure | undefined {
  // JSON of another shape than the interface has: whoever wrote it, it was no Assay server.
  if (isWrongShape(error)) return strange(url);
  if (!isAssayError(error)) return undefined;
  switch (error.type) {
    case 'network':
      return {
        text: `no server answers at ${url}; start one there, or name another with --url`,
        exitCode: EXIT.noServer,
      };
    case 'timeout':
      return {
        text: `${url} did not answer within ${error.timeoutMs / 1000} s; try again later`,
        exitCode: EXIT.noServer,
      };
    case 'redirected':
      return {
        text: `${url} leads elsewhere, which is not followed; name the place itself with --url`,
        exitCode: EXIT.noServer,
      };
    case 'malformed':
      return strange(url);
    case 'problem':
      return describeProblem(error);
    default:
      return { text: ownWords(error.message), exitCode: EXIT.failed };
  }
}

function isWrongShape(error: unknown): boolean {
  return [TypeError, SyntaxError, RangeError].some((known) => error instanceof known);
}

function strange(url: string): ReadFailure {
  return {
    text: `what answers at ${url} is no Assay server; name one with --url`,
    exitCode: EXIT.noServer,
  };
}

function describeProblem({
  status,
  problem,
  retryAfterSeconds,
}: AssayError<'problem'>): ReadFailure {
  const detail = ownWords(problem.detail ?? problem.title);
  if (status === 400) {
    const reasons = problem.errors?.map(({ parameter, reason }) => `${parameter} ${reason}`);
    return { text: ownWords(reasons?.join('; ') ?? detail), exitCode: EXIT.usage };
  }
  if (status === 404) return { text: detail, exitCode: EXIT.notFound };
  if (status === 403) return { text: detail, exitCode: EXIT.notPaid };
  const later = retryAfterSeconds === undefined ? 'later' : `in ${Math.ceil(retryAfterSeconds)} s`;
  const advice = status === 429 || status >= 500 ? `; try again ${later}` : '';
  return { text: `the server says ${status}: ${detail}${advice}`, exitCode: EXIT.failed };
}

/** In place of a bare 404, where the slugs that there are can be told. */
export function unknownFamily(slug: string, known: readonly string[]): ReadFailure {
  const nearest = findNearest(slug, known);
  const all =
    known.length === 0 ? 'the server has none' : `there are ${known.map(plain).join(', ')}`;
  const advice = nearest === undefined ? cut(all, MOST_WORDS) : `did you mean ${plain(nearest)}?`;
  return {
    text: `there is no vault family ${JSON.stringify(slug)}; ${advice}`,
    exitCode: EXIT.notFound,
  };
}

/** A server's words, on one line that a terminal does not obey. */
export function ownWords(text: string): string {
  return cut(plain(text), MOST_WORDS);
}
