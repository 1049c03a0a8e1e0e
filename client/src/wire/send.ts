import { startWaiting, stopWaiting } from './deadline.ts';
import { failure, isAssayError } from './errors.ts';

/** How requests are sent. */
export interface Wire {
  readonly fetch: typeof fetch;
  /** Timeout of one request with its complete response. */
  readonly timeoutMs: number;
  /** Number of retries after 429 or 503. */
  readonly retries: number;
  /** Maximum wait between retries. If the server asks for more, the request is not retried. */
  readonly maxWaitMs: number;
}

export interface WireOptions {
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Timeout of one request with its complete response. Default: `30000`. */
  readonly timeoutMs?: number;
  /** Number of retries after 429 or 503. Default: `3`. */
  readonly retries?: number;
  /** Maximum wait before a retry, in milliseconds. Default: `30000`. */
  readonly maxWaitMs?: number;
}

export function createWire(options: WireOptions): Wire {
  const { timeoutMs = 30_000, retries = 3, maxWaitMs = 30_000 } = options;
  // Not bound: browsers reject a fetch that is called on another object.
  const own = options.fetch ?? ((input, init) => fetch(input, init));
  return { fetch: own, timeoutMs, retries, maxWaitMs };
}

/** Options of one call. */
export interface SendOptions {
  /** Aborts the call and closes its connection. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each request of this call. Default: the timeout of the client or payer. */
  readonly timeoutMs?: number | undefined;
  /** Headers for each request of this call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Returns the wire with the timeout of one call. */
export function wireFor(wire: Wire, { timeoutMs }: SendOptions): Wire {
  return timeoutMs === undefined ? wire : { ...wire, timeoutMs };
}

/** Differences from a GET without a body. */
export interface Sending {
  readonly method?: string | undefined;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Aborts a request that times out. Otherwise its connection is left to the platform, unless the call has a signal:
   * creating one costs Node a tenth of a request.
   */
  readonly cut?: boolean;
}

/** Sends a request and reads its response within the timeout. Redirects are not followed. */
export async function send<Answer>(
  { fetch, timeoutMs }: Wire,
  url: string,
  {
    method,
    body,
    headers,
    signal,
    cut = signal !== undefined,
  }: Omit<Sending, 'body'> & { readonly body?: Sending['body'] | string },
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  const controller = cut ? new AbortController() : undefined;
  let isLate = false;
  let giveUp: ((reason?: unknown) => void) | undefined;
  // Node does not always end a response whose request is aborted, so waiting ends here.
  const abort = () => {
    controller?.abort();
    giveUp?.();
  };
  const waiting = startWaiting(timeoutMs, () => {
    isLate = true;
    abort();
  });
  signal?.addEventListener('abort', abort);
  try {
    if (signal?.aborted) abort();
    return await orGivenUp(request());
  } catch (error) {
    if (isAssayError(error)) throw error;
    if (signal?.aborted)
      throw failure('aborted', 'The caller aborted the request.', {}, signal.reason);
    if (isLate) {
      throw failure('timeout', `${url} did not respond within ${timeoutMs} ms.`, { timeoutMs });
    }
    throw failure('network', `${url} cannot be reached.`, {}, error);
  } finally {
    stopWaiting(waiting);
    signal?.removeEventListener('abort', abort);
  }

  async function request(): Promise<Answer> {
    // For fetch, undefined is the same as absent.
    const init = { redirect: 'manual', headers, method, body, signal: controller?.signal };
    const response = await fetch(url, init as RequestInit);
    const { status, type } = response;
    // 304 is the only 3xx that is not a redirect. Browsers hide the status of the others.
    const isRedirect = status >= 300 && status < 400 && status !== 304;
    if (!isLate && type !== 'opaqueredirect' && !isRedirect) return read(response);
    await response.body?.cancel();
    throw failure('redirected', `${url} returned a redirect.`, { url });
  }

  function orGivenUp(work: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      giveUp = reject;
      work.then(resolve, reject);
    });
  }
}
