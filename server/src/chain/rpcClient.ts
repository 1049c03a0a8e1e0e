import type { HeadSubscription } from './headSubscription.ts';
import type { BlockRange } from './rangeWording.ts';
import { createRpcBatches } from './rpcBatches.ts';
import type { RpcError } from './rpcError.ts';
import { createRpcPost, type RpcPostOptions } from './rpcPost.ts';
import { readBatchResponse, readResponse } from './rpcResponse.ts';
import type { StatusContext } from './statusError.ts';

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

export function createRpcClient(options: RpcPostOptions): RpcClient {
  const { upstream } = options;
  const post = createRpcPost(options);
  const batch = createRpcBatches({ request, sendBatch });
  let nextId = 1;

  return { upstream, heads: post.heads, request, batch, close: post.close };

  async function request(
    method: string,
    params: readonly unknown[],
    opts: RpcOptions = {},
  ): Promise<unknown> {
    const id = nextId++;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    return readResponse(await post.send(method, body, opts), id, contextOf(opts));
  }

  async function sendBatch(
    calls: readonly RpcCall[],
    opts: RpcOptions = {},
  ): Promise<RpcOutcome[]> {
    const ids = { first: nextId, count: calls.length };
    nextId += calls.length;
    const body = calls.map(({ method, params }, i) => ({
      jsonrpc: '2.0',
      id: ids.first + i,
      method,
      params,
    }));
    const answer = await post.send('batch', JSON.stringify(body), opts, calls.length);
    return readBatchResponse(answer, ids, contextOf(opts));
  }

  function contextOf({ range }: RpcOptions): StatusContext {
    return { upstream, range };
  }
}
