import { createSemaphore } from '../runtime/semaphore.ts';
import {
  createConnectionHeads,
  type HeadMessage,
  type HeadSubscription,
  SUBSCRIBE_TO_HEADS,
} from './headSubscription.ts';
import { type HttpAnswer, type HttpPost, PostFailed } from './httpPost.ts';
import { createWaitingRequests } from './waitingRequests.ts';
import { createWsConnection } from './wsConnection.ts';

export interface WsPost extends HttpPost {
  readonly heads: HeadSubscription;
}

/**
 * JSON-RPC over one WebSocket, which opens when it is first needed. Once there is a listener for heads, it reconnects
 * after a loss.
 */
export function createWsPost(options: {
  url: string;
  timeoutMs: number;
  maxBodyBytes: number;
  sockets: number;
}): WsPost {
  const { url, timeoutMs, maxBodyBytes } = options;
  const posts = createSemaphore({ atOnce: options.sockets });
  let closed = false;
  const requests = createWaitingRequests({
    timeoutMs,
    // A server that does not respond may no longer receive requests.
    onTimeout: () => connection.drop(),
  });
  const heads = createConnectionHeads(() => {
    const socket = connection.socket();
    // A connection that is being opened subscribes by itself.
    if (socket === null) connection.open();
    else socket.send(SUBSCRIBE_TO_HEADS);
  });
  const connection = createWsConnection({
    ...{ url, timeoutMs, maxBodyBytes },
    onOpen(socket) {
      if (heads.isWanted()) socket.send(SUBSCRIBE_TO_HEADS);
    },
    onMessage: receive,
    onRefused: requests.answerAll,
    onLost(reason) {
      requests.failAll(reason);
      heads.end();
    },
    reconnects: () => !closed && heads.isWanted(),
  });

  return { send: (body, signal) => posts.run(() => post(body, signal)), close, heads };

  async function post(body: string, signal: AbortSignal | undefined): Promise<HttpAnswer> {
    if (closed || signal?.aborted) throw new PostFailed('aborted');
    return requests.wait(body, signal, (fail) => {
      connection.open().then(
        (socket) => socket.send(body, (error) => error && fail('connection')),
        () => fail('connection'),
      );
    });
  }

  function receive(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // The request of this message is unknown; it waits until its timeout, as without a response.
      return;
    }
    if (!heads.take((message ?? {}) as HeadMessage)) requests.answer(message, text);
  }

  function close(): void {
    closed = true;
    heads.close();
    requests.failAll('aborted');
    connection.close();
  }
}
