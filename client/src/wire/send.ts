import { failure, isAssayError } from './errors.ts';

/** How requests leave. */
export interface Wire {
  readonly fetch: typeof fetch;
  /** For one request with its whole answer. */
  readonly timeoutMs: number;
  /** How often a request is sent again after 429 or 503. */
  readonly retries: number;
  /** The longest wait between two of them: a server that asks for more gets no further request. */
  readonly maxWaitMs: number;
}

export interface WireOptions {
  /** Instead of the platform's. */
  readonly fetch?: typeof fetch;
  /** For one request with its whole answer; 30 000 unless told. */
  readonly timeoutMs?: number;
  /** How often a request is sent again after 429 or 503; 3 unless told. */
  readonly retries?: number;
  /** The longest wait before that; 30 000 unless told. */
  readonly maxWaitMs?: number;
}

export function createWire(options: WireOptions): Wire {
  const { timeoutMs = 30_000, retries = 3, maxWaitMs = 30_000 } = options;
  // Not bound to anything: browsers refuse a fetch that is called on another object.
  const own = options.fetch ?? ((input, init) => fetch(input, init));
  return { fetch: own, timeoutMs, retries, maxWaitMs };
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends one GET and reads its answer, both within the time. No redirect is followed, wherever it leads. */
export async function send<Answer>(
  { fetch, timeoutMs }: Wire,
  url: string,
  { headers, signal }: Sent,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abort();
  }, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    if (signal?.aborted) abort();
    const response = await fetch(url, {
      redirect: 'manual',
      signal: controller.signal,
      ...(headers && { headers }),
    });
    // 304 is the only one that leads nowhere. A browser does not tell the status of the others.
    if (
      response.type === 'opaqueredirect' ||
      (response.status >= 300 && response.status < 400 && response.status !== 304)
    ) {
      abort();
      throw failure('redirected', `${url} answered with a redirect, which is not followed`, {
        url,
      });
    }
    return await read(response);
  } catch (error) {
    if (isAssayError(error)) throw error;
    if (signal?.aborted) throw failure('aborted', 'the caller gave up', {}, signal.reason);
    if (late) {
      throw failure('timeout', `${url} did not answer within ${timeoutMs} ms`, { timeoutMs });
    }
    throw failure('network', `${url} cannot be reached`, {}, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
