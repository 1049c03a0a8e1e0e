import http from 'node:http';
import { listenOnLoopback, stopServer } from '../loopbackServer.ts';

/** A proxy before a JSON-RPC URL that does not answer for logs of a range that begins above a block. */
export interface HeldRpc {
  readonly url: string;
  /** Whether such a range was requested. */
  readonly isHolding: () => boolean;
  close(): Promise<void>;
}

interface Request {
  readonly method: string;
  readonly params: readonly { readonly fromBlock?: string }[];
}

export async function createHeldRpc(target: string, above: number): Promise<HeldRpc> {
  let holding = false;
  const server = http.createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    isHolding: () => holding,
    close: () => stopServer(server),
  };

  async function serve(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const asked = [JSON.parse(body) as Request | Request[]].flat();
    if (asked.some(isAbove)) {
      holding = true;
      return;
    }
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(target, { method: 'POST', headers, body });
    response.writeHead(answer.status, headers).end(await answer.text());
  }

  function isAbove({ method, params }: Request): boolean {
    return method === 'eth_getLogs' && Number(params[0]?.fromBlock) > above;
  }
}
