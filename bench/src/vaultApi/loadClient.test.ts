import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type LoadClient, openLoadClient, requestBytes } from './loadClient.ts';

let server: Server;
let client: LoadClient;
afterEach(async () => {
  client.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Starts a server that sends these pieces for every request, each after the previous one is sent. */
async function answering(...pieces: readonly string[]): Promise<number> {
  server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('data', async () => {
      for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent));
      if (pieces.length === 0) socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

describe('loadClient', () => {
  test('behavior: a response in pieces, twice over one connection', async () => {
    const port = await answering('HTTP/1.1 200 OK\r\nConte', 'nt-Length: 6\r\n\r\nab', 'cdef');
    client = await openLoadClient(port);
    const request = requestBytes(port, '/', 'gzip');
    expect(await client.send(request)).toEqual({ status: 200, bytes: 6 });
    expect(await client.send(request)).toEqual({ status: 200, bytes: 6 });
  });

  test('behavior: a response without a body', async () => {
    const port = await answering('HTTP/1.1 304 Not Modified\r\netag: "a"\r\n\r\n');
    client = await openLoadClient(port);
    expect(await client.send(requestBytes(port, '/', undefined))).toEqual({
      status: 304,
      bytes: 0,
    });
  });

  test('error: a connection that ends', async () => {
    const port = await answering();
    client = await openLoadClient(port);
    await expect(client.send(requestBytes(port, '/', undefined))).rejects.toThrow('closed');
  });
});
