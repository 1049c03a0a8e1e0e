import type { Hex } from '../domain/hex.ts';
import { type BlockRange, readTooManyAddresses, readTooWide } from './rangeWording.ts';
import {
  RangeTooWide,
  type RpcError,
  RpcRateLimited,
  RpcRefused,
  RpcUnreachable,
  StateUnavailable,
  TooManyAddresses,
} from './rpcError.ts';

/** The error member of a JSON-RPC response, unchecked. */
export interface ErrorMember {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

export interface ErrorContext {
  readonly upstream: number;
  /** Only for eth_getLogs. */
  readonly range?: BlockRange | undefined;
  /** The HTTP status of the response. */
  readonly status: number;
  readonly retryAfterSeconds: number | null;
}

const UNKNOWN_BLOCK =
  /header not found|header for hash not found|unknown block|block not found|could not find block|block .{0,40}(?:not found|cannot be found)|blocks specified in filter.*cannot be found|beyond (?:the )?(?:current )?head|range is in the future|has not been executed yet|not processed yet|after last accepted block|block is out of range|unsupported block number|requested data not available|invalid block (?:number|range|tag \d)|not (?:yet )?available on (?:this|the) node/;
/** Monad's text for a block that it does not have yet, or no longer. */
const EITHER_WAY = /block requested not found\b.{0,80}historical state/;
const PRUNED =
  /missing trie node|state (?:is |has been |was )?(?:already )?(?:pruned|not available|unavailable|not found|discarded)|state .{0,90}is not available|historical state|state pruning|pruned|archiv(?:e|al)\b|distance to target block (?:\(\d+\) )?exceeds|first available state|history has expired|no state (?:available|found)|state histories haven't been|old data not available|world state unavailable|block .* state is not/;
const RATE_LIMITED =
  /\brate.{0,2}limit|too many requests|requests? per |per second|compute units|daily request|quota|throttl|credits|capacity limit|usage limit|(?:call|request) (?:count|limit|rate)|limit of requests|rps limit|throughput|payment required/;
const UNHEALTHY =
  /no backend|no available nodes|can't route your request|temporary internal error|currently healthy|temporarily unavailable|service unavailable|bad gateway|upstream|overloaded|node is (?:not synced|syncing|behind)|try again later|timed? ?out|timeout/;
const TIMED_OUT = /timed? ?out|timeout|deadline exceeded/;
const REVERTED =
  /^(?:error: )?(?:vm exception|execution (?:reverted|error)|vm execution error|transaction reverted|reverted with|out of gas|invalid opcode|stack (?:under|over)flow|bad instruction|gas (?:limit|uint64))|\bran out of gas|\bout of gas/;

const QUOTA =
  /payment required|(?:monthly|daily) (?:capacity|request|quota|limit)|usage limit|daily request count/;

/** HTTP statuses that mean a request limit: of a day or a month, or of the rate. */
const RATE_STATUSES = new Set([402, 429]);

/** HTTP statuses by which gateways give up waiting: request timeout, gateway timeout, and Cloudflare's timeout. */
const TIMEOUT_STATUSES = new Set([408, 504, 524]);

/** Whether a gateway's status means that the read of a log range took too long; other reads cannot be narrowed. */
export function isRangeTimeout({ status, range }: Pick<ErrorContext, 'status' | 'range'>): boolean {
  return range !== undefined && TIMEOUT_STATUSES.has(status);
}

/** Codes that mean a request limit with some providers, regardless of the text. */
const RATE_CODES = new Set([402, 429, -32429, -32016, -32029, -32097]);

/** -32005 is "limit exceeded": of results for eth_getLogs, of requests for all other methods. */
const LIMIT_EXCEEDED = -32005;

/** Turns an RPC endpoint's error into one of this folder's classes, with a safe text. */
export function classify(error: ErrorMember, context: ErrorContext): RpcError {
  const raw = { text: error.message.toLowerCase(), data: revertData(error.data) };
  return read(error, context).withRaw(raw);
}

function read(error: ErrorMember, context: ErrorContext): RpcError {
  const { upstream } = context;
  const text = `${error.message} ${dataText(error.data)}`.toLowerCase();
  // Checked first: the rest of such a message comes from the contract, which could imitate any other failure.
  if (context.range === undefined && (error.code === 3 || REVERTED.test(text))) {
    return new RpcRefused({ upstream, code: error.code, reverted: true });
  }
  if (RATE_STATUSES.has(context.status) || RATE_CODES.has(error.code) || RATE_LIMITED.test(text)) {
    const { retryAfterSeconds } = context;
    const quota = error.code === 402 || context.status === 402 || QUOTA.test(text);
    return new RpcRateLimited({ upstream, retryAfterSeconds, quota });
  }
  if (context.range !== undefined) {
    const addresses = readTooManyAddresses(text);
    if (addresses !== null) return new TooManyAddresses({ upstream, ...addresses });
  }
  if (EITHER_WAY.test(text)) {
    return new StateUnavailable({ upstream, reason: 'unknown-block', mayBePruned: true });
  }
  if (UNKNOWN_BLOCK.test(text)) return new StateUnavailable({ upstream, reason: 'unknown-block' });
  if (context.range !== undefined) {
    const wide = readTooWide({ code: error.code, text }, context.range);
    if (wide === 'obeyed') return new StateUnavailable({ upstream, reason: 'pruned', of: 'logs' });
    if (wide !== null) return new RangeTooWide({ upstream, ...wide });
    if (error.code === LIMIT_EXCEEDED) {
      return new RangeTooWide({ upstream, suggestedTo: null, maxBlocks: null });
    }
  }
  if (error.code === LIMIT_EXCEEDED) {
    return new RpcRateLimited({ upstream, retryAfterSeconds: context.retryAfterSeconds });
  }
  if (PRUNED.test(text)) {
    const of = context.range === undefined ? 'state' : 'logs';
    return new StateUnavailable({ upstream, reason: 'pruned', of });
  }
  if (isRangeTimeout(context) || (context.range !== undefined && TIMED_OUT.test(text))) {
    return new RpcUnreachable({ upstream, reason: 'server-timeout' });
  }
  if (UNHEALTHY.test(text)) return new RpcUnreachable({ upstream, reason: 'unhealthy' });
  return new RpcRefused({ upstream, code: error.code, reverted: false });
}

/** Whether the RPC endpoint rejected a batch for being one, or for its length. */
export function refusesBatch(error: ErrorMember): boolean {
  return /batch/i.test(`${error.message} ${dataText(error.data)}`);
}

/** Some providers put the reason into `data`; it may be long, and only its text matters. */
function dataText(data: unknown): string {
  if (data === undefined || data === null) return '';
  if (typeof data === 'string') return data.startsWith('0x') ? '' : data.slice(0, 500);
  return JSON.stringify(data).slice(0, 500);
}

/** A plain value in most RPC endpoints, after a word in some, a level or two deeper in others. */
function revertData(data: unknown, depth = 0): Hex | null {
  if (typeof data === 'string') {
    const found = /^(?:reverted )?(0x[0-9a-f]*)$/i.exec(data);
    return found === null ? null : (found[1]!.toLowerCase() as Hex);
  }
  if (typeof data !== 'object' || data === null || depth > 2) return null;
  const { data: inner, originalError } = data as { data?: unknown; originalError?: unknown };
  return revertData(inner, depth + 1) ?? revertData(originalError, depth + 1);
}
