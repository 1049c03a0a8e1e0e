/// <reference path="./ws.d.ts" />
import { WebSocket } from 'ws';
import { type HttpAnswer, PostFailed, retryAfter } from './httpPost.ts';

/** One WebSocket to a URL, which opens when it is first needed. */
export interface WsConnection {
  /** Opens it, unless it is open. */
  open(): Promise<WebSocket>;
  /** Null while it is not open. */
  socket(): WebSocket | null;
  /** Terminates the socket, which counts as a loss. */
  drop(): void;
  close(): void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export function createWsConnection(options: {
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly onOpen: (socket: WebSocket) => void;
  readonly onMessage: (text: string) => void;
  /** The server responded to the handshake with an HTTP error. */
  readonly onRefused: (answer: HttpAnswer) => void;
  readonly onLost: (reason: PostFailed['reason']) => void;
  /** Whether it reconnects after a loss, with growing pauses. */
  readonly reconnects: () => boolean;
}): WsConnection {
  let connecting: Promise<WebSocket> | undefined;
  let open: WebSocket | null = null;
  let losses = 0;
  let reconnectTimer: NodeJS.Timeout | undefined;

  return {
    open: connect,
    socket: () => open,
    drop,
    close() {
      clearTimeout(reconnectTimer);
      drop();
    },
  };

  function connect(): Promise<WebSocket> {
    connecting ??= new Promise((resolve, reject) => {
      const socket = new WebSocket(options.url, {
        maxPayload: options.maxBodyBytes,
        handshakeTimeout: options.timeoutMs,
        followRedirects: false,
      });
      let reason: PostFailed['reason'] = 'connection';
      socket.on('open', () => {
        losses = 0;
        open = socket;
        resolve(socket);
        options.onOpen(socket);
      });
      socket.on('message', (data) => options.onMessage(data.toString()));
      socket.on('unexpected-response', (_, response) => {
        const status = response.statusCode ?? 0;
        const retryAfterSeconds = retryAfter(response.headers['retry-after']);
        options.onRefused({ status, retryAfterSeconds, body: '' });
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
    options.onLost(reason);
    if (!options.reconnects()) return;
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** losses++);
    clearTimeout(reconnectTimer);
    reconnectTimer = setTimeout(() => connect(), ms);
    reconnectTimer.unref();
  }

  function drop(): void {
    connecting?.then(
      (socket) => socket.terminate(),
      () => {},
    );
  }
}
