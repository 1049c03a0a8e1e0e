import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RpcServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface RpcServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  handle(body: string): Promise<string>;
}

const MAX_BODY = 8 * 1024 * 1024;
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': '*',
};

/** Serves JSON-RPC over HTTP, with CORS for any page in a browser on this machine. */
export function serveRpc({ host, port, handle }: RpcServerOptions): Promise<RpcServer> {
  const server = createServer(async (request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, CORS).end();
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405, { ...CORS, allow: 'POST, OPTIONS' }).end();
      return;
    }
    const body = await readBody(request).catch(() => undefined);
    if (body === undefined) {
      response.writeHead(413, { ...CORS, connection: 'close' }).end();
      return;
    }
    const answer = Buffer.from(await handle(body));
    response
      .writeHead(200, {
        ...CORS,
        'content-type': 'application/json',
        'content-length': answer.byteLength,
      })
      .end(answer);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address() as AddressInfo;
      resolve({
        url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
        port: address.port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BODY) throw new RangeError('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
