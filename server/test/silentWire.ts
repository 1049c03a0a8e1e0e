import { connect, createServer, type Socket } from 'node:net';

/** A connection to a PostgreSQL server that can stop passing data without closing, like a cut cable. */
export interface SilentWire {
  readonly url: string;
  /** Stops all data from now on, on existing and new connections. */
  freeze(): void;
  /** Does the same in the middle of the clients' data, after this many more bytes. */
  freezeAfter(bytes: number): void;
  /** Lets new connections pass data again. */
  thaw(): void;
  /** Closes all connections and routes new ones to another server, as after a DNS change. */
  lead(to: URL): void;
  close(): Promise<void>;
}

/** New connections pass data after `delayMs`. */
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
