import type { HttpAnswer } from './httpPost.ts';
import type { BlockRange } from './rangeWording.ts';
import { type RpcError, RpcRateLimited, RpcUnreachable } from './rpcError.ts';
import { isRangeTimeout } from './rpcErrorWording.ts';

export interface StatusContext {
  readonly upstream: number;
  /** Only for eth_getLogs. */
  readonly range?: BlockRange | undefined;
}

/** A page of Cloudflare that limits the rate comes with HTTP 429, 403, or even 200. */
const LIMITED_PAGE = /error code:? ?1015|you are being rate limited/i;

/** Turns a response without JSON-RPC into one of this folder's classes: only its status and its page show the reason. */
export function classifyStatus(answer: HttpAnswer, { upstream, range }: StatusContext): RpcError {
  const { status, retryAfterSeconds } = answer;
  // The quota of the plan for the day or the month.
  if (status === 402) return new RpcRateLimited({ upstream, retryAfterSeconds, quota: true });
  const isBusy = status === 503 && retryAfterSeconds !== null;
  if (status === 429 || isBusy || LIMITED_PAGE.test(answer.body)) {
    return new RpcRateLimited({ upstream, retryAfterSeconds });
  }
  if (isRangeTimeout({ status, range })) {
    return new RpcUnreachable({ upstream, reason: 'server-timeout' });
  }
  if (status < 200 || status > 299) {
    return new RpcUnreachable({ upstream, reason: 'status', status });
  }
  return new RpcUnreachable({ upstream, reason: 'garbage' });
}
