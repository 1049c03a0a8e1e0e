import { type TracedWork, traced } from '../runtime/traced.ts';
import type { HeadSubscription } from './headSubscription.ts';
import { type HttpAnswer, PostFailed } from './httpPost.ts';
import { openPost } from './openPost.ts';
import type { RpcOptions } from './rpcClient.ts';
import { RangeTooWide, RpcUnreachable } from './rpcError.ts';
import { BatchRefused } from './rpcResponse.ts';

export interface RpcPostOptions {
  readonly url: string;
  readonly upstream: number;
  readonly timeoutMs: number;
  readonly maxBodyBytes?: number;
  readonly sockets?: number;
  /** For traces. */
  readonly chainId?: number;
  /** Called for every request, with its number of calls. */
  readonly onCalls?: (calls: number) => void;
}

/** Sends JSON-RPC bodies to one URL: counted, traced, and with the failures of the connection as RpcError. */
export interface RpcPost {
  /** New heads, if the RPC endpoint supports subscriptions. */
  readonly heads?: HeadSubscription | undefined;
  /** Throws BatchRefused instead if the response to more than one call is too long. */
  send(method: string, body: string, options: RpcOptions, calls?: number): Promise<HttpAnswer>;
  close(): void;
}

export function createRpcPost(options: RpcPostOptions): RpcPost {
  const { upstream, chainId, onCalls } = options;
  const http = openPost({
    url: options.url,
    timeoutMs: options.timeoutMs,
    maxBodyBytes: options.maxBodyBytes ?? 16 * 1024 * 1024,
    sockets: options.sockets ?? 16,
  });

  return { heads: http.heads, send, close: http.close };

  async function send(
    method: string,
    body: string,
    { signal, range }: RpcOptions,
    calls = 1,
  ): Promise<HttpAnswer> {
    onCalls?.(calls);
    try {
      return await traced(
        () => describe(method, calls),
        () => http.send(body, signal),
      );
    } catch (error) {
      if (!(error instanceof PostFailed)) throw error;
      if (error.reason === 'oversized' && calls > 1) throw new BatchRefused();
      if (error.reason === 'oversized' && range !== undefined) {
        throw new RangeTooWide({ upstream, suggestedTo: null, maxBlocks: null });
      }
      throw new RpcUnreachable({ upstream, reason: error.reason });
    }
  }

  /** The URL may contain a key, so traces contain its number. */
  function describe(method: string, calls: number): TracedWork {
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
}
