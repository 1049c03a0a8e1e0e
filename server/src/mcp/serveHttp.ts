import { createHash, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payer } from '@assay/client';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';

export interface HttpOptions {
  /** 0: any that is free. */
  readonly port: number;
  readonly create: (payer: Payer | undefined) => McpServer;
  /** Spends the operator's money, for who has the token. */
  readonly budget: { readonly payer: Payer; readonly token: string } | undefined;
  readonly onError: (error: unknown) => void;
}

export interface ServedMcp {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';

/** Streamable HTTP for this machine, without sessions: each request has a server of its own. */
export async function serveMcpHttp(options: HttpOptions): Promise<ServedMcp> {
  const { budget, create, onError } = options;
  const handler = createMcpHandler(
    // Whoever got this far with a token has the right one.
    ({ authInfo }) => create(authInfo && budget?.payer),
    { onerror: onError },
  );
  const handle = toNodeHandler(handler, { onerror: onError });
  const isHostAllowed = localhostHostValidation();
  const isOriginAllowed = localhostOriginValidation();
  const server = http.createServer((request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    if (request.url?.split('?')[0] !== PATH) return refuse(response, 404, `use ${PATH}`);
    const access = accessOf(request);
    if (access === 'wrong')
      return refuse(response, 401, 'this token is not the one of this server');
    handle(Object.assign(request, access), response).catch(onError);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${PATH}`, close };

  function accessOf({ headers: { authorization } }: IncomingMessage) {
    if (authorization === undefined) return {};
    const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
    if (token === undefined || budget === undefined) return 'wrong';
    if (!timingSafeEqual(hash(token), hash(budget.token))) return 'wrong';
    return { auth: { token, clientId: 'operator', scopes: [] } };
  }

  async function close(): Promise<void> {
    await handler.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function refuse(response: ServerResponse, status: number, detail: string): void {
  response.writeHead(status, {
    'content-type': 'application/problem+json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  });
  response.end(JSON.stringify({ type: 'about:blank', status, detail }));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
