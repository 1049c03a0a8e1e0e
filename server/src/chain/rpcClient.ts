import { type HttpAnswer, PostFailed } from './httpPost.ts';
import { openPost } from './openPost.ts';
import type { BlockRange } from './rangeWording.ts';
import { RangeTooWide, RpcError, RpcRateLimited, RpcUnreachable } from './rpcError.ts';
import { classify, type ErrorMember, refusesBatch } from './rpcErrorWording.ts';
import type { HeadNews } from './wsPost.ts';

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface RpcOptions {
  readonly signal?: AbortSignal | undefined;
  /** The blocks asked for, on eth_getLogs: its errors are read against them. */
  readonly range?: BlockRange | undefined;
  /** One after the other where they do not fit into one request: later calls need the earlier ones. */
  readonly inOrder?: boolean | undefined;
  /** It tells whether the node is well: not to be kept waiting behind others, nor to be repeated for long. */
  readonly urgent?: boolean | undefined;
}

/** One call of a batch fails on its own. */
export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError };

/** One JSON-RPC URL. Throws RpcErrors only. */
export interface RpcClient {
  readonly upstream: number;
  /** Where the node tells of new heads by itself. */
  readonly heads?: HeadNews | undefined;
  request(method: string, params: readonly unknown[], options?: RpcOptions): Promise<unknown>;
  /** In few requests where the node takes batches; each call has its own outcome, in the order of the calls. */
  batch(calls: readonly RpcCall[], options?: RpcOptions): Promise<RpcOutcome[]>;
  /** Ends what is under way; its callers see `aborted`. */
  close(): void;
}

/** Common limits are 100 and up; a node that wants less says so and is believed. */
const BATCH_LENGTH = 100;

/** HTTP statuses by which gateways refuse a batch without a JSON-RPC answer. */
const BATCH_STATUSES = new Set([400, 405, 413, 415, 422, 501]);

/** Parse error, invalid request, unknown method: a node that does not know arrays. */
const BATCH_CODES = new Set([-32700, -32600, -32601]);

class BatchRefused extends Error {}

export function createRpcClient(options: {
  url: string;
  upstream: number;
  timeoutMs: number;
  maxBodyBytes?: number;
  sockets?: number;
  /** Told of every request, with how many calls it has. */
  onCalls?: (calls: number) => void;
}): RpcClient {
  const { upstream, onCalls } = options;
  const http = openPost({
    url: options.url,
    timeoutMs: options.timeoutMs,
    maxBodyBytes: options.maxBodyBytes ?? 16 * 1024 * 1024,
    sockets: options.sockets ?? 16,
  });
  let nextId = 1;
  let batchLength = BATCH_LENGTH;

  return { upstream, heads: http.heads, request, batch, close: http.close };

  async function request(
    method: string,
    params: readonly unknown[],
    opts: RpcOptions = {},
  ): Promise<unknown> {
    const id = nextId++;
    const answer = await send(JSON.stringify({ jsonrpc: '2.0', id, method, params }), opts);
    const value = parse(answer);
    const outcome = readMember(value, answer, opts);
    if (outcome === null) throw garbageOrStatus(answer);
    if ('error' in outcome) throw outcome.error;
    if (!sameId((value as { id?: unknown }).id, id)) throw garbage();
    return outcome.result;
  }

  async function batch(calls: readonly RpcCall[], opts: RpcOptions = {}): Promise<RpcOutcome[]> {
    if (opts.inOrder) return batchInOrder(calls, opts);
    const parts: Promise<RpcOutcome[]>[] = [];
    for (let at = 0; at < calls.length; at += batchLength) {
      parts.push(partOrFailures(calls.slice(at, at + batchLength), opts));
    }
    return (await settle(parts)).flat();
  }

  /** What fails one request says nothing of the others: their answers are kept. */
  async function partOrFailures(
    calls: readonly RpcCall[],
    opts: RpcOptions,
  ): Promise<RpcOutcome[]> {
    try {
      return await part(calls, opts);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return calls.map(() => ({ error }));
    }
  }

  async function batchInOrder(calls: readonly RpcCall[], opts: RpcOptions): Promise<RpcOutcome[]> {
    const outcomes: RpcOutcome[] = [];
    while (outcomes.length < calls.length) {
      const at = outcomes.length;
      outcomes.push(...(await part(calls.slice(at, at + batchLength), opts)));
    }
    return outcomes;
  }

  /** A batch that the node may refuse: halved until it takes it, down to single requests. */
  async function part(calls: readonly RpcCall[], opts: RpcOptions): Promise<RpcOutcome[]> {
    if (calls.length === 1) return [await single(calls[0]!, opts)];
    try {
      return await sendBatch(calls, opts);
    } catch (error) {
      if (!(error instanceof BatchRefused)) throw error;
      const half = Math.ceil(calls.length / 2);
      batchLength = Math.min(batchLength, half);
      return batch(calls, opts);
    }
  }

  async function single(call: RpcCall, opts: RpcOptions): Promise<RpcOutcome> {
    try {
      return { result: await request(call.method, call.params, opts) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // What is wrong with the node, and not with the call, ends a sequence as it would in one request.
      if (opts.inOrder && (error instanceof RpcUnreachable || error instanceof RpcRateLimited))
        throw error;
      return { error };
    }
  }

  async function sendBatch(calls: readonly RpcCall[], opts: RpcOptions): Promise<RpcOutcome[]> {
    const first = nextId;
    nextId += calls.length;
    const body = calls.map((call, i) => ({
      jsonrpc: '2.0',
      id: first + i,
      method: call.method,
      params: call.params,
    }));
    const answer = await send(JSON.stringify(body), opts, calls.length);
    const value = parse(answer);
    if (!Array.isArray(value)) throw notABatch(value, answer, opts);
    return readBatch(value, answer, first, calls.length, opts);
  }

  function readBatch(
    members: readonly unknown[],
    answer: HttpAnswer,
    first: number,
    count: number,
    opts: RpcOptions,
  ): RpcOutcome[] {
    const refusal = members.map(errorMember).find((error) => error !== null && refusesBatch(error));
    if (refusal !== undefined) throw new BatchRefused();
    const outcomes = new Array<RpcOutcome | undefined>(count);
    for (const member of members) {
      const outcome = readMember(member, answer, opts);
      const at = Number((member as { id?: unknown } | null)?.id) - first;
      if (outcome === null || !(at >= 0 && at < count)) throw garbage();
      outcomes[at] = outcome;
    }
    return Array.from(outcomes, (outcome) => outcome ?? { error: garbage() });
  }

  function notABatch(value: unknown, answer: HttpAnswer, opts: RpcOptions): Error {
    const error = errorMember(value);
    if (error === null) {
      return BATCH_STATUSES.has(answer.status) ? new BatchRefused() : garbageOrStatus(answer);
    }
    if (refusesBatch(error) || BATCH_CODES.has(error.code) || BATCH_STATUSES.has(answer.status)) {
      return new BatchRefused();
    }
    return classify(error, { upstream, range: opts.range, ...answer });
  }

  async function send(body: string, opts: RpcOptions, calls = 1): Promise<HttpAnswer> {
    onCalls?.(calls);
    try {
      return await http.send(body, opts.signal);
    } catch (error) {
      if (!(error instanceof PostFailed)) throw error;
      if (error.reason === 'oversized' && calls > 1) throw new BatchRefused();
      if (error.reason === 'oversized' && opts.range !== undefined) {
        throw new RangeTooWide({ upstream, suggestedTo: null, maxBlocks: null });
      }
      throw new RpcUnreachable({ upstream, reason: error.reason });
    }
  }

  /** Undefined for a body that is not JSON, whatever its status. */
  function parse(answer: HttpAnswer): unknown {
    try {
      return JSON.parse(answer.body);
    } catch {
      return undefined;
    }
  }

  /** Null for a member that is no JSON-RPC answer. Errors count whatever the HTTP status. */
  function readMember(member: unknown, answer: HttpAnswer, opts: RpcOptions): RpcOutcome | null {
    const error = errorMember(member);
    if (error !== null)
      return { error: classify(error, { upstream, range: opts.range, ...answer }) };
    if (answer.status < 200 || answer.status > 299) return null;
    if (typeof member !== 'object' || member === null || !('result' in member)) return null;
    return { result: member.result };
  }

  function garbageOrStatus(answer: HttpAnswer): RpcError {
    const { status, retryAfterSeconds } = answer;
    if (status === 429) return new RpcRateLimited({ upstream, retryAfterSeconds });
    if (status < 200 || status > 299) {
      return new RpcUnreachable({ upstream, reason: 'status', status });
    }
    return garbage();
  }

  function garbage(): RpcUnreachable {
    return new RpcUnreachable({ upstream, reason: 'garbage' });
  }
}

/** All of them done before the first failure is thrown: nothing is left running unseen. */
async function settle<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

function errorMember(value: unknown): ErrorMember | null {
  if (typeof value !== 'object' || value === null || !('error' in value)) return null;
  const error = value.error;
  if (typeof error === 'string') return { code: 0, message: error, data: undefined };
  if (typeof error !== 'object' || error === null) return null;
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: typeof code === 'number' ? code : Number(code ?? 0) || 0,
    message: typeof message === 'string' ? message : '',
    data,
  };
}

function sameId(seen: unknown, sent: number): boolean {
  return seen === sent || seen === String(sent);
}
