import { type HttpAnswer, PostFailed } from './httpPost.ts';

/** The requests on one connection that have no response yet. */
export interface WaitingRequests {
  /** Waits for the response to a JSON-RPC body. `send` sends it, and reports a failure. */
  wait(
    body: string,
    signal: AbortSignal | undefined,
    send: (fail: (reason: PostFailed['reason']) => void) => void,
  ): Promise<HttpAnswer>;
  /** Responds to the request of a message, whose text is `body`. */
  answer(message: unknown, body: string): void;
  answerAll(answer: HttpAnswer): void;
  failAll(reason: PostFailed['reason']): void;
}

interface Waiting {
  answer(answer: HttpAnswer): void;
  fail(reason: PostFailed['reason']): void;
}

const NO_KEY = 'NaN';

export function createWaitingRequests(options: {
  readonly timeoutMs: number;
  readonly onTimeout: () => void;
}): WaitingRequests {
  /** By the ID of the request, or of the first in a batch. */
  const waiting = new Map<string, Waiting>();

  return {
    wait,
    answer(message, body) {
      const key = keyOf(message);
      // A rejection of an entire batch has no ID: it belongs to the request that has waited longest.
      const one = key === NO_KEY ? waiting.values().next().value : waiting.get(key);
      one?.answer({ status: 200, retryAfterSeconds: null, body });
    },
    answerAll(answer) {
      for (const one of [...waiting.values()]) one.answer(answer);
    },
    failAll(reason) {
      for (const one of [...waiting.values()]) one.fail(reason);
    },
  };

  async function wait(
    body: string,
    signal: AbortSignal | undefined,
    send: (fail: (reason: PostFailed['reason']) => void) => void,
  ): Promise<HttpAnswer> {
    const key = keyOf(JSON.parse(body));
    return new Promise<HttpAnswer>((resolve, reject) => {
      const timer = setTimeout(() => {
        fail('timeout');
        options.onTimeout();
      }, options.timeoutMs);
      const abort = () => fail('aborted');
      signal?.addEventListener('abort', abort, { once: true });
      waiting.set(key, { answer, fail });
      send(fail);

      function answer(response: HttpAnswer): void {
        finish();
        resolve(response);
      }

      function fail(reason: PostFailed['reason']): void {
        finish();
        reject(new PostFailed(reason));
      }

      function finish(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        waiting.delete(key);
      }
    });
  }
}

/** IDs are unique on a connection; a batch may be answered in any order, so its lowest ID counts. */
function keyOf(message: unknown): string {
  const ids = [message].flat().map((one) => (one as { id?: unknown } | null)?.id ?? Number.NaN);
  return ids.length === 0 ? NO_KEY : String(Math.min(...ids.map(Number)));
}
