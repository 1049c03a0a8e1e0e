import { connect, createServer, type Socket } from 'node:net';

/** A way to a PostgreSQL server that can go silent without closing anything, as a cut cable does. */
export interface SilentWire {
  readonly url: string;
  /** From now on nothing passes, on connections that are there and on new ones. */
  freeze(): void;
  /** The same in the middle of what clients send, once so many bytes more have passed. */
  freezeAfter(bytes: number): void;
  /** New connections pass again. */
  thaw(): void;
  /** Ends all connections; new ones lead to another server, as when a name moves. */
  lead(to: URL): void;
  close(): Promise<void>;
}

/** New connections wait `delayMs` before anything passes. */
export async function createSilentWire(target: URL, delayMs = 0): Promise<SilentWire> {
  const sockets: Socket[] = [];
  let { hostname, port } = target;
  let frozen = false;
  let left = Number.POSITIVE_INFINITY;
  const server = createServer((near) => {
    keep(near);
    if (frozen) return void near.pause();
    const far = connect(Number(port), hostname);
    keep(far);
    setTimeout(() => {
      near.pipe(far).pipe(near);
      near.on('data', (chunk) => {
        left -= chunk.length;
        if (left <= 0) freeze();
      });
    }, delayMs);
  });

  function freeze(): void {
    frozen = true;
    for (const socket of sockets) socket.unpipe().pause();
  }

  function keep(socket: Socket): void {
    socket.on('error', () => undefined);
    sockets.push(socket);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target.href);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    freeze,
    freezeAfter(bytes) {
      left = bytes;
    },
    thaw() {
      frozen = false;
      left = Number.POSITIVE_INFINITY;
    },
    lead(to) {
      ({ hostname, port } = to);
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
