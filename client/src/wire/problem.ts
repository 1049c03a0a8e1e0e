import type { Problem, ProblemError } from '../api/types.ts';
import { type AssayError, failure } from './errors.ts';
import { readRetryAfter } from './retry.ts';

/** Returns the error for a response that is not 2xx, from its status and body. */
export function problemOf(response: Response, text: string): AssayError<'problem'> {
  const { status, statusText, headers } = response;
  const found = parsed(text);
  const problem: Problem = { type: 'about:blank', title: statusText, ...found, status };
  const words = problem.detail ?? problem.title;
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'), Date.now());
  return failure('problem', words ? `${status}: ${words}` : `${status}`, {
    status,
    problem,
    retryAfterSeconds,
  });
}

/**
 * Ignores bodies that are not JSON, such as a proxy's error page, and all fields if one has another type. Otherwise a
 * seller could make the error of a paid call a TypeError, which names no payment.
 */
function parsed(text: string): object {
  try {
    const found = JSON.parse(text);
    const { type, title, detail, code, errors = [], candidates = [] } = found;
    const reasons = errors.flatMap((one: ProblemError) => [one.parameter, one.reason]);
    const texts = [type, title, detail, code, ...reasons, ...candidates];
    const isValid = texts.every((one) => one === undefined || typeof one === 'string');
    return isValid && typeof found === 'object' ? found : {};
  } catch {
    return {};
  }
}
