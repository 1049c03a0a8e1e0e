import { startTries } from './askAgain.ts';
import type { Pace } from './pace.ts';
import type { RpcCall, RpcClient, RpcOptions, RpcOutcome } from './rpcClient.ts';
import { RpcError, RpcRateLimited, RpcUnreachable } from './rpcError.ts';

/**
 * One URL whose calls are sent at its pace. A call that is limited, or fails for a passing reason, is asked again by itself;
 * what was answered beside it is kept.
 */
export function createPatientRpc(
  rpc: RpcClient,
  options: {
    readonly pace: Pace;
    /** How long a URL that answers nothing at all is waited for. */
    readonly patienceMs: number;
    /** The same for urgent calls; a few seconds unless given. */
    readonly urgentMs?: number;
  },
): RpcClient {
  const { pace } = options;

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
    let tries: ReturnType<typeof startTries> | undefined;
    for (;;) {
      const turn = pace.turn(1, urgent);
      if (turn !== undefined) await turn;
      const sentAt = pace.now();
      try {
        const result = await rpc.request(method, params, opts);
        pace.answered(1);
        return result;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        if (isAnswer(error)) pace.answered(1);
        tries ??= startTries({ ...options, urgent, isRange: opts.range !== undefined });
        if (!(await tries.again(error, sentAt))) throw error;
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
    let left = Array.from({ length: to - from }, (_, i) => from + i);
    let tries: ReturnType<typeof startTries> | undefined;
    while (left.length > 0) {
      // What the pace allows may have become less since this part was cut.
      const now = left.splice(0, pace.batch());
      const turn = pace.turn(now.length, urgent);
      if (turn !== undefined) await turn;
      const sentAt = pace.now();
      const answers = await rpc.batch(
        now.map((i) => calls[i]!),
        opts,
      );
      const failed: number[] = [];
      let error: RpcError | undefined;
      for (const [k, answer] of answers.entries()) {
        const i = now[k]!;
        outcomes[i] = answer;
        if (!('error' in answer) || !answer.error.retry) continue;
        failed.push(i);
        error ??= answer.error;
      }
      if (failed.length < now.length) pace.answered(now.length - failed.length);
      if (error === undefined) continue;
      tries ??= startTries({ ...options, urgent, isRange: opts.range !== undefined });
      if (await tries.again(error, sentAt)) left = [...failed, ...left];
      // What is wrong with the URL is wrong for the rest too.
      else if (left.length > 0) {
        for (const i of left) outcomes[i] = { error };
        return;
      }
    }
  }
}

/** A refusal of the call itself shows that the URL takes calls. */
function isAnswer(error: RpcError): boolean {
  return !(error instanceof RpcRateLimited || error instanceof RpcUnreachable);
}
