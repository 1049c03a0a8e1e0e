import type { HttpAnswer } from './httpPost.ts';
import type { RpcOutcome } from './rpcClient.ts';
import { RpcUnreachable } from './rpcError.ts';
import { classify, type ErrorMember, refusesBatch } from './rpcErrorWording.ts';
import { classifyStatus, type StatusContext } from './statusError.ts';

/** The RPC endpoint does not accept a batch, or not of this length: the calls are sent in smaller requests. */
export class BatchRefused extends Error {}

/** HTTP statuses by which gateways reject a batch without a JSON-RPC response. */
const BATCH_STATUSES = new Set([400, 405, 413, 415, 422, 501]);

/** Parse error, invalid request, unknown method: an RPC endpoint that does not support arrays. */
const BATCH_CODES = new Set([-32700, -32600, -32601]);

/** Returns the result of the request with this ID. Throws only RpcError. */
export function readResponse(answer: HttpAnswer, id: number, context: StatusContext): unknown {
  const value = parse(answer);
  const outcome = readMember(value, answer, context);
  if (outcome === null) throw classifyStatus(answer, context);
  if ('error' in outcome) throw outcome.error;
  if (!sameId((value as { id?: unknown }).id, id)) throw garbage(context);
  return outcome.result;
}

/** Returns the outcomes of `count` calls with IDs from `first`, in their order. Throws only RpcError and BatchRefused. */
export function readBatchResponse(
  answer: HttpAnswer,
  { first, count }: { readonly first: number; readonly count: number },
  context: StatusContext,
): RpcOutcome[] {
  const members = parse(answer);
  if (!Array.isArray(members)) throw notABatch(members, answer, context);
  const refusal = members.map(errorMember).find((error) => error !== null && refusesBatch(error));
  if (refusal !== undefined) throw new BatchRefused();
  const outcomes = new Array<RpcOutcome | undefined>(count);
  for (const member of members) {
    const outcome = readMember(member, answer, context);
    const at = Number((member as { id?: unknown } | null)?.id) - first;
    if (outcome === null || !(at >= 0 && at < count)) throw garbage(context);
    outcomes[at] = outcome;
  }
  return Array.from(outcomes, (outcome) => outcome ?? { error: garbage(context) });
}

function notABatch(value: unknown, answer: HttpAnswer, context: StatusContext): Error {
  const error = errorMember(value);
  if (error === null) {
    return BATCH_STATUSES.has(answer.status)
      ? new BatchRefused()
      : classifyStatus(answer, { upstream: context.upstream });
  }
  if (refusesBatch(error) || BATCH_CODES.has(error.code) || BATCH_STATUSES.has(answer.status)) {
    return new BatchRefused();
  }
  return classify(error, { ...context, ...answer });
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
function readMember(
  member: unknown,
  answer: HttpAnswer,
  context: StatusContext,
): RpcOutcome | null {
  const error = errorMember(member);
  if (error !== null) return { error: classify(error, { ...context, ...answer }) };
  if (answer.status < 200 || answer.status > 299) return null;
  if (typeof member !== 'object' || member === null || !('result' in member)) return null;
  return { result: member.result };
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

function garbage({ upstream }: StatusContext): RpcUnreachable {
  return new RpcUnreachable({ upstream, reason: 'garbage' });
}
