import type { CallCost } from './callCost.ts';
import type { Pace } from './pace.ts';
import { startRetries } from './retries.ts';
import type { RpcCall, RpcClient, RpcOptions, RpcOutcome } from './rpcClient.ts';
import { RpcError, RpcRateLimited, RpcUnreachable } from './rpcError.ts';

/**
 * One URL whose calls are sent at its pace. A call that is rate-limited, or fails temporarily, is retried on its own;
 * the other results of its batch are kept.
 */
export function createRetryingRpc(
  rpc: RpcClient,
  options: {
    readonly pace: Pace;
    /** Default: every call counts as one. */
    readonly cost?: CallCost;
    /** How long to retry a URL that responds to no call at all. */
    readonly retryMs: number;
    /** The same if the URL requests the wait. Default: `retryMs`. */
    readonly requestedMs?: number;
    /** The same for urgent calls. Default: a few seconds. */
    readonly urgentMs?: number;
  },
): RpcClient {
  const { pace, cost = () => 1 } = options;

  return { ...rpc, request, batch, close };

  function close(): void {
    rpc.close();
    pace.close();
  }

  async function request(
    method: string,
    params: readonly unknown[],
    opts: RpcOptions = {},
  ): Promise<unknown> {
    const urgent = opts.urgent ?? false;
    const calls = cost(method);
    let retries: ReturnType<typeof startRetries> | undefined;
    for (;;) {
      const turn = pace.turn(calls, urgent);
      if (turn !== undefined) await turn;
      const sentAt = pace.now();
      try {
        const result = await rpc.request(method, params, opts);
        pace.answered(calls);
        return result;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        if (isAnswer(error)) pace.answered(calls);
        retries ??= startRetries({ ...options, urgent, isRange: opts.range !== undefined });
        if (!(await retries.shouldRetry(error, sentAt))) throw error;
      }
    }
  }

  async function batch(calls: readonly RpcCall[], opts: RpcOptions = {}): Promise<RpcOutcome[]> {
    if (opts.inOrder) return rpc.batch(calls, opts);
    const outcomes = new Array<RpcOutcome>(calls.length);
    const size = pace.batch();
    const parts: Promise<void>[] = [];
    for (let at = 0; at < calls.length; at += size) {
      parts.push(part(calls, at, Math.min(calls.length, at + size), outcomes, opts));
    }
    await Promise.all(parts);
    return outcomes;
  }

  async function part(
    calls: readonly RpcCall[],
    from: number,
    to: number,
    outcomes: RpcOutcome[],
    opts: RpcOptions,
  ): Promise<void> {
    const urgent = opts.urgent ?? false;
    const costOf = (items: readonly number[]) =>
      items.reduce((sum, i) => sum + cost(calls[i]!.method), 0);
    let left = Array.from({ length: to - from }, (_, i) => from + i);
    let retries: ReturnType<typeof startRetries> | undefined;
    while (left.length > 0) {
      // The pace may allow less than when this part was cut.
      const now = left.splice(0, pace.batch());
      const turn = pace.turn(costOf(now), urgent);
      if (turn !== undefined) await turn;
      const sentAt = pace.now();
      const answers = await rpc.batch(
        now.map((i) => calls[i]!),
        opts,
      );
      const good: number[] = [];
      const failed: number[] = [];
      let error: RpcError | undefined;
      for (const [k, answer] of answers.entries()) {
        const i = now[k]!;
        outcomes[i] = answer;
        if (!('error' in answer) || !answer.error.retry) {
          good.push(i);
          continue;
        }
        failed.push(i);
        error ??= answer.error;
      }
      if (good.length > 0) pace.answered(costOf(good));
      if (error === undefined) continue;
      retries ??= startRetries({ ...options, urgent, isRange: opts.range !== undefined });
      if (await retries.shouldRetry(error, sentAt)) left = [...failed, ...left];
      // A failure of the URL also applies to the rest.
      else if (left.length > 0) {
        for (const i of left) outcomes[i] = { error };
        return;
      }
    }
  }
}

/** A rejection of the call itself shows that the URL accepts calls. */
function isAnswer(error: RpcError): boolean {
  return !(error instanceof RpcRateLimited || error instanceof RpcUnreachable);
}
