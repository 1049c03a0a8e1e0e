import type { RpcCall, RpcClient, RpcOptions, RpcOutcome } from './rpcClient.ts';
import { RpcError, RpcRateLimited, RpcUnreachable } from './rpcError.ts';
import { BatchRefused } from './rpcResponse.ts';

/** Common limits are 100 and above; a lower one is learned from the error. */
const BATCH_LENGTH = 100;

/** Splits batches into requests of the length that the RPC endpoint accepts, down to single calls. */
export function createRpcBatches({
  request,
  sendBatch,
}: {
  readonly request: RpcClient['request'];
  /** Sends the calls in one request. Throws BatchRefused if the RPC endpoint rejects their number. */
  readonly sendBatch: RpcClient['batch'];
}): RpcClient['batch'] {
  let batchLength = BATCH_LENGTH;

  return batch;

  async function batch(calls: readonly RpcCall[], opts: RpcOptions = {}): Promise<RpcOutcome[]> {
    if (opts.inOrder) return batchInOrder(calls, opts);
    const parts: Promise<RpcOutcome[]>[] = [];
    for (let at = 0; at < calls.length; at += batchLength) {
      parts.push(partOrFailures(calls.slice(at, at + batchLength), opts));
    }
    return (await settle(parts)).flat();
  }

  async function batchInOrder(calls: readonly RpcCall[], opts: RpcOptions): Promise<RpcOutcome[]> {
    const outcomes: RpcOutcome[] = [];
    while (outcomes.length < calls.length) {
      const at = outcomes.length;
      outcomes.push(...(await part(calls.slice(at, at + batchLength), opts)));
    }
    return outcomes;
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
}

/** Waits for all before it throws the first failure, so that none is left running. */
async function settle<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
