import type http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on loopback at the given port, or at any free one for 0. */
export function listenOnLoopback(server: http.Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Closes every connection: requests in progress get no response. */
export async function stopServer(server: http.Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
