import { createHash, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
} from '@modelcontextprotocol/server';
import type { CreateMcp } from './createMcp.ts';

export interface HttpOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly create: CreateMcp;
  /** Clients with one of these tokens may spend the operator's money, if there is a budget. */
  readonly tokens: readonly string[];
  /** The URL at which a proxy serves it to other machines: then every request needs a token. */
  readonly publicUrl: URL | undefined;
  readonly onError: (error: unknown) => void;
}

export interface ServedMcp {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';

/** Streamable HTTP on loopback, without sessions: each request has its own server. */
export async function serveMcpHttp(options: HttpOptions): Promise<ServedMcp> {
  const { create, onError, publicUrl } = options;
  const tokens = options.tokens.map(hash);
  const handler = createMcpHandler(
    // A request with a token that got this far has a valid one.
    ({ authInfo }) => create({ maySpend: authInfo !== undefined }),
    { onerror: onError },
  );
  const handle = toNodeHandler(handler, { onerror: onError });
  const named = publicUrl === undefined ? [] : [publicUrl.hostname];
  const isHostAllowed = hostHeaderValidation([...localhostAllowedHostnames(), ...named]);
  const isOriginAllowed = originValidation([...localhostAllowedOrigins(), ...named]);
  const server = http.createServer((request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    if (request.url?.split('?')[0] !== PATH) return refuse(response, 404, `use ${PATH}`);
    const access = accessOf(request);
    if (typeof access === 'string') return refuse(response, 401, access);
    handle(Object.assign(request, access), response).catch(onError);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${PATH}`, close };

  function accessOf({ headers: { authorization } }: IncomingMessage) {
    if (authorization === undefined) {
      return publicUrl === undefined ? {} : 'send a token: Authorization: Bearer …';
    }
    const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';
    const sent = hash(token);
    // Compares with each token, so that the time does not reveal which one matches.
    const matches = tokens.filter((known) => timingSafeEqual(known, sent));
    if (matches.length === 0) return 'this token is not valid for this server';
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
