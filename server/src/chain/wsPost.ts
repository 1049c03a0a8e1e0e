/// <reference path="./ws.d.ts" />
import { WebSocket } from 'ws';
import { createSemaphore } from '../runtime/semaphore.ts';
import { type HttpAnswer, type HttpPost, PostFailed, retryAfter } from './httpPost.ts';

/** New heads from a subscription, which only determine when to read. */
export interface HeadSubscription {
  /** Whether the subscription is confirmed and its connection open. */
  alive(): boolean;
  /** The hash of the newest head; null if none came since the subscription began. */
  latest(): string | null;
  /** Calls the listener after a new head, or when the subscription has ended. Returns a function that stops it. */
  listen(listener: () => void): () => void;
}

export interface WsPost extends HttpPost {
  readonly heads: HeadSubscription;
}

interface Waiting {
  answer(body: string): void;
  respond(answer: HttpAnswer): void;
  fail(reason: PostFailed['reason']): void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const SUBSCRIBE_ID = 'heads';
const NO_KEY = 'NaN';

/**
 * JSON-RPC over one WebSocket, which opens when it is first needed. Once there is a listener for heads, it reconnects
 * after a loss, with growing pauses.
 */
export function createWsPost(options: {
  url: string;
  timeoutMs: number;
  maxBodyBytes: number;
  sockets: number;
}): WsPost {
  const { url, timeoutMs, maxBodyBytes } = options;
  const posts = createSemaphore({ atOnce: options.sockets });
  /** By the ID of the request, or of the first in a batch. */
  const waiting = new Map<string, Waiting>();
  const listeners = new Set<() => void>();
  /** Whether there was ever a listener: from then on each connection subscribes to heads. */
  let wanted = false;
  let connecting: Promise<WebSocket> | undefined;
  let open: WebSocket | null = null;
  let closed = false;
  let subscription: string | null = null;
  let latest: string | null = null;
  let losses = 0;
  let reconnectTimer: NodeJS.Timeout | undefined;
  const heads: HeadSubscription = {
    alive: () => subscription !== null,
    latest: () => latest,
    listen,
  };

  return { send: (body, signal) => posts.run(() => post(body, signal)), close, heads };

  async function post(body: string, signal: AbortSignal | undefined): Promise<HttpAnswer> {
    if (closed || signal?.aborted) throw new PostFailed('aborted');
    const key = keyOf(JSON.parse(body));
    return new Promise<HttpAnswer>((resolve, reject) => {
      const timer = setTimeout(() => {
        one.fail('timeout');
        // A server that does not respond may no longer receive requests.
        drop();
      }, timeoutMs);
      const abort = () => one.fail('aborted');
      signal?.addEventListener('abort', abort, { once: true });
      const one: Waiting = {
        answer: (text) => one.respond({ status: 200, retryAfterSeconds: null, body: text }),
        respond(answer) {
          finish();
          resolve(answer);
        },
        fail(reason) {
          finish();
          reject(new PostFailed(reason));
        },
      };
      waiting.set(key, one);
      connect().then(
        (socket) => socket.send(body, (error) => error && one.fail('connection')),
        () => one.fail('connection'),
      );

      function finish(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        waiting.delete(key);
      }
    });
  }

  function connect(): Promise<WebSocket> {
    connecting ??= new Promise((resolve, reject) => {
      const socket = new WebSocket(url, {
        maxPayload: maxBodyBytes,
        handshakeTimeout: timeoutMs,
        followRedirects: false,
      });
      let reason: PostFailed['reason'] = 'connection';
      socket.on('open', () => {
        losses = 0;
        open = socket;
        resolve(socket);
        if (wanted) subscribe(socket);
      });
      socket.on('message', (data) => receive(data.toString()));
      socket.on('unexpected-response', (_, response) => {
        const status = response.statusCode ?? 0;
        const retryAfterSeconds = retryAfter(response.headers['retry-after']);
        for (const one of [...waiting.values()])
          one.respond({ status, retryAfterSeconds, body: '' });
        socket.terminate();
      });
      socket.on('error', ({ code }) => {
        if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') reason = 'oversized';
      });
      socket.on('close', () => {
        reject(new PostFailed(reason));
        lose(reason);
      });
    });
    connecting.catch(() => {});
    return connecting;
  }

  function lose(reason: PostFailed['reason']): void {
    connecting = undefined;
    open = null;
    subscription = null;
    latest = null;
    for (const one of [...waiting.values()]) one.fail(closed ? 'aborted' : reason);
    notify();
    if (closed || !wanted) return;
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** losses++);
    clearTimeout(reconnectTimer);
    reconnectTimer = setTimeout(() => connect(), ms);
    reconnectTimer.unref();
  }

  function subscribe(socket: WebSocket): void {
    const params = ['newHeads'];
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id: SUBSCRIBE_ID, method: 'eth_subscribe', params }),
    );
  }

  function receive(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // The request of this message is unknown; it waits until its timeout, as without a response.
      return;
    }
    const { method, params, id, result } = (message ?? {}) as {
      method?: unknown;
      params?: { subscription?: unknown; result?: { hash?: unknown } };
      id?: unknown;
      result?: unknown;
    };
    if (method === 'eth_subscription') {
      if (params?.subscription !== subscription || typeof params?.result?.hash !== 'string') return;
      latest = params.result.hash.toLowerCase();
      notify();
    } else if (id === SUBSCRIBE_ID) {
      // An RPC endpoint that rejects the subscription is polled.
      if (typeof result === 'string') subscription = result;
      notify();
    } else {
      const key = keyOf(message);
      // A rejection of an entire batch has no ID: it belongs to the request that has waited longest.
      const one = key === NO_KEY ? waiting.values().next().value : waiting.get(key);
      one?.answer(text);
    }
  }

  function notify(): void {
    for (const listener of [...listeners]) listener();
  }

  function listen(listener: () => void): () => void {
    listeners.add(listener);
    if (!wanted) {
      wanted = true;
      // A connection that is being opened subscribes by itself.
      if (connecting === undefined) connect();
      else if (open !== null) subscribe(open);
    }
    return () => listeners.delete(listener);
  }

  function drop(): void {
    connecting?.then(
      (socket) => socket.terminate(),
      () => {},
    );
  }

  function close(): void {
    closed = true;
    clearTimeout(reconnectTimer);
    listeners.clear();
    for (const one of [...waiting.values()]) one.fail('aborted');
    drop();
  }
}

/** IDs are unique on a connection; a batch may be answered in any order, so its lowest ID counts. */
function keyOf(message: unknown): string {
  const ids = [message].flat().map((one) => (one as { id?: unknown } | null)?.id ?? Number.NaN);
  return ids.length === 0 ? NO_KEY : String(Math.min(...ids.map(Number)));
}
