import { type TracedWork, traced } from '../runtime/traced.ts';
import { type HttpAnswer, PostFailed } from './httpPost.ts';
import { openPost } from './openPost.ts';
import type { BlockRange } from './rangeWording.ts';
import { RangeTooWide, RpcError, RpcRateLimited, RpcUnreachable } from './rpcError.ts';
import { classify, type ErrorMember, refusesBatch } from './rpcErrorWording.ts';
import { classifyStatus } from './statusError.ts';
import type { HeadSubscription } from './wsPost.ts';

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface RpcOptions {
  readonly signal?: AbortSignal | undefined;
  /** The requested blocks, for eth_getLogs: its errors are read against them. */
  readonly range?: BlockRange | undefined;
  /** Sends calls one after the other if they do not fit into one request: later calls need the earlier ones. */
  readonly inOrder?: boolean | undefined;
  /** The call shows the health of the RPC endpoint: it neither waits behind others nor is repeated for long. */
  readonly urgent?: boolean | undefined;
}

/** Each call of a batch fails on its own. */
export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError };

/** One JSON-RPC URL. Throws only RpcError. */
export interface RpcClient {
  readonly upstream: number;
  /** New heads, if the RPC endpoint supports subscriptions. */
  readonly heads?: HeadSubscription | undefined;
  request(method: string, params: readonly unknown[], options?: RpcOptions): Promise<unknown>;
  /** Sends few requests if batches are supported; each call has its own outcome, in the order of the calls. */
  batch(calls: readonly RpcCall[], options?: RpcOptions): Promise<RpcOutcome[]>;
  /** Cancels all requests in flight; their callers get `aborted`. */
  close(): void;
}

/** Common limits are 100 and above; a lower one is learned from the error. */
const BATCH_LENGTH = 100;

/** HTTP statuses by which gateways reject a batch without a JSON-RPC response. */
const BATCH_STATUSES = new Set([400, 405, 413, 415, 422, 501]);

/** Parse error, invalid request, unknown method: an RPC endpoint that does not support arrays. */
const BATCH_CODES = new Set([-32700, -32600, -32601]);

class BatchRefused extends Error {}

export function createRpcClient(options: {
  url: string;
  upstream: number;
  timeoutMs: number;
  maxBodyBytes?: number;
  sockets?: number;
  /** For traces. */
  chainId?: number;
  /** Called for every request, with its number of calls. */
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
    const answer = await send(method, JSON.stringify({ jsonrpc: '2.0', id, method, params }), opts);
    const value = parse(answer);
    const outcome = readMember(value, answer, opts);
    if (outcome === null) throw classifyStatus(answer, { upstream, range: opts.range });
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

  /** The failure of one request proves nothing about the others: their results are kept. */
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

  /** Halves a batch until the RPC endpoint accepts it, down to single requests. */
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
      // A failure of the RPC endpoint, rather than of the call, ends a sequence as it would in one request.
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
    const answer = await send('batch', JSON.stringify(body), opts, calls.length);
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
      return BATCH_STATUSES.has(answer.status)
        ? new BatchRefused()
        : classifyStatus(answer, { upstream });
    }
    if (refusesBatch(error) || BATCH_CODES.has(error.code) || BATCH_STATUSES.has(answer.status)) {
      return new BatchRefused();
    }
    return classify(error, { upstream, range: opts.range, ...answer });
  }

  async function send(
    method: string,
    body: string,
    opts: RpcOptions,
    calls = 1,
  ): Promise<HttpAnswer> {
    onCalls?.(calls);
    try {
      return await traced(
        () => describe(method, calls),
        () => http.send(body, opts.signal),
      );
    } catch (error) {
      if (!(error instanceof PostFailed)) throw error;
      if (error.reason === 'oversized' && calls > 1) throw new BatchRefused();
      if (error.reason === 'oversized' && opts.range !== undefined) {
        throw new RangeTooWide({ upstream, suggestedTo: null, maxBlocks: null });
      }
      throw new RpcUnreachable({ upstream, reason: error.reason });
    }
  }

  /** The URL may contain a key, so traces contain its number. */
  function describe(method: string, calls: number): TracedWork {
    const { chainId } = options;
    return {
      name: method,
      kind: 'client',
      attributes: {
        'rpc.system.name': 'jsonrpc',
        'rpc.method': method,
        'assay.rpc.calls': calls,
        'assay.rpc.upstream': upstream,
        ...(chainId !== undefined && { 'assay.chain_id': chainId }),
      },
    };
  }

  /** Returns undefined for a body that is not JSON, regardless of its status. */
  function parse(answer: HttpAnswer): unknown {
    try {
      return JSON.parse(answer.body);
    } catch {
      return undefined;
    }
  }

  /** Returns null for a member that is no JSON-RPC response. Errors count regardless of the HTTP status. */
  function readMember(member: unknown, answer: HttpAnswer, opts: RpcOptions): RpcOutcome | null {
    const error = errorMember(member);
    if (error !== null)
      return { error: classify(error, { upstream, range: opts.range, ...answer }) };
    if (answer.status < 200 || answer.status > 299) return null;
    if (typeof member !== 'object' || member === null || !('result' in member)) return null;
    return { result: member.result };
  }

  function garbage(): RpcUnreachable {
    return new RpcUnreachable({ upstream, reason: 'garbage' });
  }
}

/** Waits for all before it throws the first failure, so that none is left running. */
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
