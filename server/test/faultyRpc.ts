import http from 'node:http';
import { listenOnLoopback, stopServer } from './loopbackServer.ts';
import { type Provider, refuseRange } from './providerWordings.ts';

export type Fault =
  | { readonly kind: 'none' }
  /** Refuses connections. */
  | { readonly kind: 'dead' }
  /** Accepts the request and does not respond; the next mode ends the connection. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'garbage'; readonly shape: 'html' | 'truncated' | 'ids' | 'nulls' }
  | { readonly kind: 'http429'; readonly retryAfter?: number }
  | { readonly kind: 'http500' }
  | { readonly kind: 'noBatch' }
  | { readonly kind: 'wideRange'; readonly provider: Provider; readonly maxBlocks: number }
  /** Rejects log filters with more addresses. `names`: whether the message contains the limit. */
  | { readonly kind: 'manyAddresses'; readonly maxAddresses: number; readonly names: boolean }
  /** Responds like an endpoint whose head is lower by this many blocks. */
  | { readonly kind: 'lag'; readonly blocks: number }
  /** Rejects this many requests (default: all) with this message (default: a generic one). */
  | { readonly kind: 'refuse'; readonly times?: number; readonly words?: string }
  /** Executes the request but returns an error. */
  | { readonly kind: 'deny' }
  /** Has state only for the newest blocks. Default: 128. */
  | { readonly kind: 'pruned'; readonly blocks?: number };

export interface FaultyRpc {
  readonly url: string;
  /** All calls, in order. */
  readonly requests: readonly { readonly method: string; readonly params: readonly unknown[] }[];
  /**
   * Applies from the next request on; with `only`, to these methods alone; with `after`, once this many more requests
   * of these methods have succeeded.
   */
  mode(fault: Fault, options?: { only?: readonly string[]; after?: number }): Promise<void>;
  close(): Promise<void>;
}

interface Request {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Answer {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const STATE_METHODS = new Set([
  'eth_call',
  'eth_getBalance',
  'eth_getCode',
  'eth_getTransactionCount',
]);

const VAGUE = 'something went wrong';

/** A proxy in front of a JSON-RPC URL that reproduces faults of real nodes and providers. */
export async function createFaultyRpc(options: { target: string }): Promise<FaultyRpc> {
  const agent = new http.Agent({ keepAlive: true });
  const requests: { method: string; params: readonly unknown[] }[] = [];
  const hanging = new Set<http.ServerResponse>();
  let fault: Fault = { kind: 'none' };
  let refused = 0;
  let only: readonly string[] | undefined;
  let waiting: { fault: Fault; only: readonly string[] | undefined; left: number } | undefined;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      serve(JSON.parse(Buffer.concat(chunks).toString()), response).catch(() => response.destroy());
    });
  });
  const port = await listenOnLoopback(server, 0);
  return { url: `http://127.0.0.1:${port}`, requests, mode, close };

  async function mode(
    next: Fault,
    { only: methods, after = 0 }: { only?: readonly string[]; after?: number } = {},
  ): Promise<void> {
    if (after > 0) {
      waiting = { fault: next, only: methods, left: after };
      return mode({ kind: 'none' });
    }
    if (next.kind !== 'none') waiting = undefined;
    const before = fault.kind;
    fault = next;
    refused = 0;
    only = methods;
    for (const response of hanging) response.destroy();
    hanging.clear();
    if (next.kind === 'dead' && before !== 'dead') await stopServer(server);
    if (next.kind !== 'dead' && before === 'dead') await listenOnLoopback(server, port);
  }

  async function serve(body: Request | Request[], response: http.ServerResponse): Promise<void> {
    const list = Array.isArray(body) ? body : [body];
    for (const { method, params } of list) requests.push({ method, params });
    await countDown(list);
    const hit = only === undefined || list.some(({ method }) => only?.includes(method));
    const active: Fault = hit ? fault : { kind: 'none' };
    switch (active.kind) {
      case 'hang':
        hanging.add(response);
        return;
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, active.ms).unref());
        break;
      case 'http500':
        return end(response, 500, 'Internal Server Error');
      case 'http429':
        if (active.retryAfter !== undefined) response.setHeader('retry-after', active.retryAfter);
        return end(response, 429, 'Too Many Requests');
      case 'noBatch':
        if (Array.isArray(body)) {
          return end(response, 200, {
            jsonrpc: '2.0',
            id: null,
            error: error(-32600, 'batch too large'),
          });
        }
    }
    const answers = await Promise.all(list.map((request) => answer(request, active)));
    const refused = active.kind === 'wideRange' && answers.find(({ status }) => status !== 200);
    const plain = answers.map((one) => one.answer);
    const value = Array.isArray(body) ? plain : plain[0];
    if (active.kind === 'garbage') return end(response, 200, spoil(value, active.shape));
    end(response, refused && !Array.isArray(body) ? refused.status : 200, value);
  }

  /** Counts a request down and activates a fault with `after` when it is due. */
  async function countDown(list: readonly Request[]): Promise<void> {
    const next = waiting;
    if (next === undefined) return;
    if (next.only !== undefined && !list.some(({ method }) => next.only?.includes(method))) return;
    if (next.left-- > 0) return;
    await mode(next.fault, next.only === undefined ? {} : { only: next.only });
  }

  async function answer(
    request: Request,
    active: Fault,
  ): Promise<{ status: number; answer: Answer }> {
    switch (active.kind) {
      case 'wideRange':
        return answerWithin(request, active);
      case 'manyAddresses':
        if (addressesOf(request) <= active.maxAddresses) break;
        return { status: 200, answer: failure(request, refuseAddresses(active)) };
      case 'lag':
        return { status: 200, answer: await answerLate(request, active.blocks) };
      case 'refuse':
        if (refused++ >= (active.times ?? Number.POSITIVE_INFINITY)) break;
        return { status: 200, answer: failure(request, error(-32000, active.words ?? VAGUE)) };
      case 'deny':
        await forward(request);
        return { status: 200, answer: failure(request, error(-32000, VAGUE)) };
      case 'pruned':
        return { status: 200, answer: await answerPruned(request, active.blocks ?? 128) };
    }
    return { status: 200, answer: await forward(request) };
  }

  async function answerWithin(
    request: Request,
    active: Fault & { kind: 'wideRange' },
  ): Promise<{ status: number; answer: Answer }> {
    if (request.method !== 'eth_getLogs') return { status: 200, answer: await forward(request) };
    const filter = request.params[0] as { fromBlock: string; toBlock: string };
    const range = { fromBlock: Number(filter.fromBlock), toBlock: Number(filter.toBlock) };
    if (range.toBlock - range.fromBlock + 1 <= active.maxBlocks) {
      return { status: 200, answer: await forward(request) };
    }
    const refusal = refuseRange(active.provider, range, active.maxBlocks);
    return {
      status: refusal.status,
      answer: failure(request, error(refusal.code, refusal.message)),
    };
  }

  async function answerLate(request: Request, blocks: number): Promise<Answer> {
    const head = Math.max(0, (await headNumber()) - blocks);
    const [first, second] = request.params as [unknown, unknown];
    switch (request.method) {
      case 'eth_blockNumber':
        return { jsonrpc: '2.0', id: request.id, result: quantity(head) };
      case 'eth_getBlockByNumber': {
        if (isNumber(first)) {
          return Number(first) > head ? nothing(request) : forward(request);
        }
        const seen = await forward(request);
        const number = Number((seen.result as { number?: string } | null)?.number ?? 0);
        if (number <= head) return seen;
        return forward({ ...request, params: [quantity(head), second] });
      }
      case 'eth_getTransactionReceipt': {
        const seen = await forward(request);
        const mined = Number((seen.result as { blockNumber?: string } | null)?.blockNumber ?? 0);
        return mined > head ? nothing(request) : seen;
      }
      case 'eth_getLogs': {
        // As on real nodes, logs above the head are left out without an error.
        const filter = first as { fromBlock: string; toBlock: string };
        if (Number(filter.fromBlock) > head) return { jsonrpc: '2.0', id: request.id, result: [] };
        const last = isNumber(filter.toBlock) ? Math.min(Number(filter.toBlock), head) : head;
        return forward({ ...request, params: [{ ...filter, toBlock: quantity(last) }] });
      }
      default:
        if (!STATE_METHODS.has(request.method)) return forward(request);
        if (!isNumber(second)) return forward({ ...request, params: [first, quantity(head)] });
        if (Number(second) <= head) return forward(request);
        return failure(request, error(-32000, 'header not found'));
    }
  }

  async function answerPruned(request: Request, blocks: number): Promise<Answer> {
    const block = request.params[1];
    if (!STATE_METHODS.has(request.method) || !isNumber(block)) return forward(request);
    if (Number(block) > (await headNumber()) - blocks) return forward(request);
    const node = `${'0a'.repeat(32)} (path )`;
    return failure(request, error(-32000, `missing trie node ${node}`));
  }

  async function headNumber(): Promise<number> {
    const seen = await forward({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
    return Number(seen.result);
  }

  function forward(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const out = http.request(options.target, { agent, method: 'POST', headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
      });
      out.on('error', reject);
      out.end(JSON.stringify(request));
    });
  }

  async function close(): Promise<void> {
    if (server.listening) await stopServer(server);
    agent.destroy();
  }
}

function spoil(
  value: Answer | Answer[] | undefined,
  shape: 'html' | 'truncated' | 'ids' | 'nulls',
): unknown {
  const each = (change: (one: Answer) => Answer) =>
    Array.isArray(value) ? value.map(change) : change(value!);
  switch (shape) {
    case 'html':
      return '<html><body>Welcome to nginx</body></html>';
    case 'truncated': {
      const text = JSON.stringify(value);
      return text.slice(0, Math.floor(text.length / 2));
    }
    case 'ids':
      return each((one) => ({ ...one, id: Number(one.id) + 1_000_000 }));
    case 'nulls':
      return each((one) => ({ jsonrpc: '2.0', id: one.id, result: null }));
  }
}

function end(response: http.ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('content-type', typeof body === 'string' ? 'text/html' : 'application/json');
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function nothing(request: Request): Answer {
  return { jsonrpc: '2.0', id: request.id, result: null };
}

function failure(request: Request, member: { code: number; message: string }): Answer {
  return { jsonrpc: '2.0', id: request.id, error: member };
}

function error(code: number, message: string): { code: number; message: string } {
  return { code, message };
}

function isNumber(tag: unknown): tag is string {
  return typeof tag === 'string' && tag.startsWith('0x');
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}

function addressesOf({ method, params }: Request): number {
  if (method !== 'eth_getLogs') return 0;
  return [(params[0] as { address?: unknown }).address].flat().length;
}

function refuseAddresses({ maxAddresses, names }: { maxAddresses: number; names: boolean }) {
  return names
    ? error(-32602, `query exceeds the maximum of ${maxAddresses} addresses per search position`)
    : error(-32000, 'exceed max addresses or topics per search position');
}
