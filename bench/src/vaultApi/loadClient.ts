import { connect, type Socket } from 'node:net';

/** A connection that sends one request at a time and parses only the necessary parts of the response. */
export interface LoadClient {
  send(request: Buffer): Promise<Answer>;
  close(): void;
}

export interface Answer {
  readonly status: number;
  readonly bytes: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** Returns the bytes of a GET, created once, so that the load generator costs as little as possible. */
export function requestBytes(port: number, path: string, encoding: string | undefined): Buffer {
  const accept = encoding === undefined ? '' : `accept-encoding: ${encoding}\r\n`;
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${accept}\r\n`);
}

export async function openLoadClient(port: number): Promise<LoadClient> {
  const socket = await open(port);
  let resolve: (answer: Answer) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  let head = Buffer.alloc(0);
  let status = 0;
  let bytes = 0;
  /** Bytes of the body still missing; undefined until the head is complete. */
  let missing: number | undefined;

  socket.on('data', (data) => {
    let rest = data.length;
    if (missing === undefined) {
      head = head.length === 0 ? data : Buffer.concat([head, data]);
      const end = head.indexOf(HEAD_END);
      if (end === -1) return;
      const text = head.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      bytes = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      missing = bytes;
      rest = head.length - end - HEAD_END.length;
      head = Buffer.alloc(0);
    }
    missing -= rest;
    if (missing > 0) return;
    missing = undefined;
    resolve({ status, bytes });
  });
  socket.on('error', (error) => reject(error));
  socket.on('close', () => reject(new Error('The server closed the connection.')));

  return {
    send: (request) =>
      new Promise<Answer>((done, fail) => {
        resolve = done;
        reject = fail;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
