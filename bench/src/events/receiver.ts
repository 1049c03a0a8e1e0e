import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Latencies } from './latencies.ts';

/** A webhook endpoint. One that hangs takes requests and never responds. */
export interface Receiver {
  readonly url: string;
  readonly latencies: Latencies;
  close(): Promise<void>;
}

export async function startReceiver({ hangs }: { hangs: boolean }): Promise<Receiver> {
  const latencies = new Latencies();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      if (hangs) return;
      latencies.add(Buffer.concat(pieces).toString('latin1'));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    latencies,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
