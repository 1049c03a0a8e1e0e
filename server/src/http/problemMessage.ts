import { PROBLEM_TYPE, type Problem, problemBody } from './problem.ts';

/** Serializes a problem. */
export interface ProblemMessage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export function problemMessage(answer: Problem): ProblemMessage {
  const body = Buffer.from(problemBody(answer));
  const { status, retryAfterSeconds, headers } = answer;
  return {
    status,
    headers: {
      'content-type': PROBLEM_TYPE,
      'content-length': String(body.length),
      'cache-control': 'no-store',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      ...headers,
    },
    body,
  };
}
