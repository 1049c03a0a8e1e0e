/// <reference path="./ws.d.ts" />
import { WebSocket } from 'ws';
import { createSemaphore } from '../runtime/semaphore.ts';
import { type HttpAnswer, type HttpPost, PostFailed, retryAfter } from './httpPost.ts';

/** New heads as a node tells them by itself. A subscription only says when to read. */
export interface HeadNews {
  /** Whether the node has promised to tell, and can be heard. */
  alive(): boolean;
  /** The hash of the head that was told last; null where none was since the subscription began. */
  latest(): string | null;
  /** Calls the listener when a head was told, or the subscription has ended. Returns a function that stops it. */
  listen(listener: () => void): () => void;
}

export interface WsPost extends HttpPost {
  readonly heads: HeadNews;
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
 * JSON-RPC over one WebSocket, which is opened when it is first needed. Once somebody listens for heads it is opened again by
 * itself after it was lost, with growing pauses.
 */
export function createWsPost(options: {
  url: string;
  timeoutMs: number;
  maxBodyBytes: number;
  sockets: number;
}): WsPost {
  const { url, timeoutMs, maxBodyBytes } = options;
  const posts = createSemaphore({ atOnce: options.sockets });
  /** By the id of the request, or of the first in a batch. */
  const waiting = new Map<string, Waiting>();
  const listeners = new Set<() => void>();
  /** Whether anybody has ever listened: from then on heads are asked for on each connection. */
  let wanted = false;
  let connecting: Promise<WebSocket> | undefined;
  let open: WebSocket | null = null;
  let closed = false;
  let subscription: string | null = null;
  let latest: string | null = null;
  let losses = 0;
  let again: NodeJS.Timeout | undefined;
  const heads: HeadNews = { alive: () => subscription !== null, latest: () => latest, listen };

  return { send: (body, signal) => posts.run(() => post(body, signal)), close, heads };

  async function post(body: string, signal: AbortSignal | undefined): Promise<HttpAnswer> {
    if (closed || signal?.aborted) throw new PostFailed('aborted');
    const key = keyOf(JSON.parse(body));
    return new Promise<HttpAnswer>((resolve, reject) => {
      const timer = setTimeout(() => {
        one.fail('timeout');
        // Whoever does not answer may not hear us any more.
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
      socket.on('message', (data) => hear(data.toString()));
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
    tell();
    if (closed || !wanted) return;
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** losses++);
    clearTimeout(again);
    again = setTimeout(() => connect(), ms);
    again.unref();
  }

  function subscribe(socket: WebSocket): void {
    const params = ['newHeads'];
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id: SUBSCRIBE_ID, method: 'eth_subscribe', params }),
    );
  }

  function hear(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // Whom this was meant for cannot be told; whoever waits for it does so no longer than for silence.
      return;
    }
    const { method, params, id, result } = message as {
      method?: unknown;
      params?: { subscription?: unknown; result?: { hash?: unknown } };
      id?: unknown;
      result?: unknown;
    };
    if (method === 'eth_subscription') {
      if (params?.subscription !== subscription || typeof params?.result?.hash !== 'string') return;
      latest = params.result.hash.toLowerCase();
      tell();
    } else if (id === SUBSCRIBE_ID) {
      // A node that refuses is polled as any other.
      if (typeof result === 'string') subscription = result;
      tell();
    } else {
      const key = keyOf(message);
      // A refusal of a whole batch names no request: then it is the one that has waited longest.
      const one = key === NO_KEY ? waiting.values().next().value : waiting.get(key);
      one?.answer(text);
    }
  }

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  function listen(listener: () => void): () => void {
    listeners.add(listener);
    if (!wanted) {
      wanted = true;
      // On a connection that is being opened it happens by itself.
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
    clearTimeout(again);
    listeners.clear();
    for (const one of [...waiting.values()]) one.fail('aborted');
    drop();
  }
}

/** Ids are unique on a connection; an answer to a batch may come in any order, so its lowest counts. */
function keyOf(message: unknown): string {
  const ids = [message].flat().map((one) => (one as { id?: unknown } | null)?.id ?? Number.NaN);
  return ids.length === 0 ? NO_KEY : String(Math.min(...ids.map(Number)));
}
