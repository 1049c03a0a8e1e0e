import { startWaiting, stopWaiting } from './deadline.ts';
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

export interface Sending {
  readonly headers?: Record<string, string> | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether a late request is cut off. Else it is given up, and its connection left to the platform, unless there is a
   * signal: one more costs Node a tenth of a request.
   */
  readonly cut?: boolean;
}

/** Sends one GET and reads its answer, both within the time. No redirect is followed, wherever it leads. */
export async function send<Answer>(
  { fetch, timeoutMs }: Wire,
  url: string,
  { headers, signal, cut = signal !== undefined }: Sending,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  const controller = cut ? new AbortController() : undefined;
  const abort = () => controller?.abort();
  let isLate = false;
  let giveUp = () => {};
  const waiting = startWaiting(timeoutMs, () => {
    isLate = true;
    abort();
    giveUp();
  });
  signal?.addEventListener('abort', abort);
  try {
    if (signal?.aborted) abort();
    const work = request();
    return await (cut ? work : orGivenUp(work));
  } catch (error) {
    if (isAssayError(error)) throw error;
    if (signal?.aborted) throw failure('aborted', 'the caller gave up', {}, signal.reason);
    if (isLate) {
      throw failure('timeout', `${url} did not answer within ${timeoutMs} ms`, { timeoutMs });
    }
    throw failure('network', `${url} cannot be reached`, {}, error);
  } finally {
    stopWaiting(waiting);
    signal?.removeEventListener('abort', abort);
  }

  async function request(): Promise<Answer> {
    const init: RequestInit = { redirect: 'manual' };
    if (headers) init.headers = headers;
    if (controller) init.signal = controller.signal;
    const response = await fetch(url, init);
    const { status, type } = response;
    // 304 is the only one that leads nowhere. A browser does not tell the status of the others.
    const isRedirect = status >= 300 && status < 400 && status !== 304;
    if (!isLate && type !== 'opaqueredirect' && !isRedirect) return read(response);
    await response.body?.cancel();
    throw failure('redirected', `${url} answered with a redirect, which is not followed`, { url });
  }

  function orGivenUp(work: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      giveUp = () => reject(new Error('late'));
      work.then(resolve, reject);
    });
  }
}
