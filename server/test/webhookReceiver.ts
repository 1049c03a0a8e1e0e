import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Consumer, Kept, type WireEvent } from './eventConsumers.ts';

/** A received delivery. */
export interface ReceivedMessage {
  readonly id: string;
  readonly type: string;
  readonly cursor: string;
  readonly events: readonly WireEvent[];
}

/**
 * ok: stores the events. error: 500 before it stores them. lost: stores them, and the connection breaks before the response.
 * hang: never responds. A number is a status.
 */
export type Response = 'ok' | 'error' | 'lost' | 'hang' | number;

/** A webhook client that verifies signatures as the specification describes, and stores events as a database would. */
export interface WebhookReceiver extends Consumer {
  /** The endpoint for the configuration. */
  readonly endpoint: {
    readonly url: string;
    readonly secrets: readonly string[];
    readonly allowPrivate: true;
  };
  /** Requests with a valid signature, including those without a response. */
  readonly messages: readonly ReceivedMessage[];
  /** Returns the number of requests without a valid signature. */
  readonly rejected: () => number;
  /** Resolves when `messages` satisfy `done`. */
  until(done: (messages: readonly ReceivedMessage[]) => boolean): Promise<void>;
  /** Verifies with another secret from now on. */
  rotate(secret: string): void;
}

export interface WebhookReceiverOptions {
  readonly name: string;
  /** Default: ok. */
  readonly respond?: (message: ReceivedMessage, count: number) => Response;
  /** Unix milliseconds. Default: the system clock. */
  readonly now?: () => number;
}

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

export async function startWebhookReceiver({
  name,
  respond = () => 'ok',
  now = Date.now,
}: WebhookReceiverOptions): Promise<WebhookReceiver> {
  const kept = new Kept();
  const messages: ReceivedMessage[] = [];
  const waiting = new Set<() => void>();
  const first = newSecret();
  let secret = first;
  let rejected = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => take(request, body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    name,
    endpoint: { url: `http://127.0.0.1:${port}/hook`, secrets: [first], allowPrivate: true },
    messages,
    rejected: () => rejected,
    rows: () => kept.rows,
    retracted: () => kept.retracted,
    written: () => kept.written,
    kill: () => server.closeAllConnections(),
    rotate(other) {
      secret = other;
    },
    async until(done) {
      while (!done(messages)) await new Promise<void>((resolve) => waiting.add(resolve));
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function take(request: IncomingMessage, body: string, response: ServerResponse): void {
    const header = (key: string) => String(request.headers[`webhook-${key}`]);
    const signed = `${header('id')}.${header('timestamp')}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const right = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    const isFresh = Math.abs(now() / 1_000 - Number(header('timestamp'))) < 300;
    if (!isFresh || !header('signature').split(' ').includes(right)) {
      rejected++;
      response.writeHead(401).end();
      return;
    }
    const message: ReceivedMessage = { id: header('id'), ...JSON.parse(body) };
    messages.push(message);
    const how = respond(message, messages.length);
    if (how === 'ok' || how === 'lost') kept.write(message.events, message.cursor);
    if (how === 'ok') response.end();
    else if (how === 'lost') request.socket.destroy();
    else if (how !== 'hang') response.writeHead(how === 'error' ? 500 : how).end();
    for (const resolve of waiting) resolve();
    waiting.clear();
  }
}
