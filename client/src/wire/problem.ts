import type { Problem } from '../api/types.ts';
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

/** Ignores bodies that are not JSON, such as a proxy's error page. */
function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
