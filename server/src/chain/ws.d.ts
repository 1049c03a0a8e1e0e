/** The parts of the `ws` package that are used here; it has no types. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage, Server } from 'node:http';

  export class WebSocket extends EventEmitter {
    static readonly OPEN: number;
    readonly readyState: number;
    constructor(
      url: string,
      options?: { maxPayload?: number; handshakeTimeout?: number; followRedirects?: boolean },
    );
    send(data: string, done?: (error?: Error) => void): void;
    terminate(): void;
    on(event: 'open' | 'close', listener: () => void): this;
    on(event: 'error', listener: (error: Error & { code?: string }) => void): this;
    on(event: 'message', listener: (data: Buffer) => void): this;
    on(
      event: 'unexpected-response',
      listener: (request: unknown, response: IncomingMessage) => void,
    ): this;
  }

  export class WebSocketServer extends EventEmitter {
    readonly clients: Set<WebSocket>;
    constructor(options: { server: Server });
    on(event: 'connection', listener: (socket: WebSocket) => void): this;
    close(): void;
  }
}
