import { type AssayError, failure, isAssayError } from './errors.ts';
import type { Wire } from './send.ts';

const FIRST_WAIT_MS = 250;

/** Retries after 429 and 503, as `Retry-After` says, otherwise with exponential backoff. */
export async function retrying<Answer>(
  { retries, maxWaitMs }: Pick<Wire, 'retries' | 'maxWaitMs'>,
  signal: AbortSignal | undefined,
  attempt: () => Promise<Answer>,
  isWorthIt: (error: unknown) => boolean = isBusy,
): Promise<Answer> {
  for (let turn = 0; ; turn++) {
    try {
      return await attempt();
    } catch (error) {
      if (turn >= retries || !isWorthIt(error)) throw error;
      const wait = waitBefore(error, turn);
      if (wait > maxWaitMs) throw error;
      await pause(wait, signal);
    }
  }
}

export function isBusy(error: unknown): error is AssayError<'problem'> {
  return isAssayError(error, 'problem') && (error.status === 429 || error.status === 503);
}

/** Returns a growing wait, half of it random, so that clients that failed together do not retry together. */
export function waitBefore(error: unknown, turn: number): number {
  const asked = isAssayError(error, 'problem') ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return asked * 1000;
  return FIRST_WAIT_MS * 2 ** turn * (0.5 + Math.random() / 2);
}

/** Parses both forms of Retry-After as seconds from now; undefined if absent or invalid. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1000);
}

/** Rejects with `aborted` if the signal fires first. */
export function orAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () =>
      reject(failure('aborted', 'The caller aborted the request.', {}, signal.reason));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted)
        reject(failure('aborted', 'The caller aborted the request.', {}, signal.reason));
      else resolve();
    }
  });
}
