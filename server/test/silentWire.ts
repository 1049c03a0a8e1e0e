import { connect, createServer, type Socket } from 'node:net';

/** A way to a PostgreSQL server that can go silent without closing anything, as a cut cable does. */
export interface SilentWire {
  readonly url: string;
  /** From now on nothing passes, on connections that are there and on new ones. */
  freeze(): void;
  /** New connections pass again. */
  thaw(): void;
  close(): Promise<void>;
}

export async function createSilentWire(target: URL): Promise<SilentWire> {
  const sockets: Socket[] = [];
  let frozen = false;
  const server = createServer((near) => {
    keep(near);
    if (frozen) return void near.pause();
    const far = connect(Number(target.port), target.hostname);
    keep(far);
    near.pipe(far).pipe(near);
  });

  function keep(socket: Socket): void {
    socket.on('error', () => undefined);
    sockets.push(socket);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target.href);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    thaw() {
      frozen = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
