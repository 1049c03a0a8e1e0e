import type { BlockRange } from './rangeWording.ts';
import { type RangeTooWide, RpcError } from './rpcError.ts';

/** How many blocks to ask for at once; each answer moves it. */
export interface LogRange {
  readonly width: number;
  /** Not to be passed for now: a wider range was refused not long ago. */
  readonly cap: number;
  /** Never to be passed: our own bound, or the limit in blocks that the node named. */
  readonly limit: number;
  /** Answers in a row at the cap. */
  readonly steady: number;
  /** So many of them before a wider range is tried; more after each try that failed. */
  readonly patience: number;
}

/** Large enough to be worth a request and a commit, small enough to parse and write without a pause. */
const FEW_LOGS = 3_000;
const MANY_LOGS = 5_000;
/** So many tell how dense the logs are. */
const TELLING_LOGS = 500;
export const WIDEST = 100_000;
/** Tries above a cap fail when the node's limit is fixed: one in this many is what they may cost at first. */
const STEADY_ANSWERS = 16;
const STEADY_ANSWERS_IF_LEARNED = 1_024;
const MOST_STEADY_ANSWERS = 16_384;

/** One block alone is more than the node will answer: only another node can help. */
export class BlockTooLarge extends RpcError {
  readonly retry = false;
  readonly block: number;

  constructor(fields: { upstream: number; block: number }) {
    super(
      fields.upstream,
      `rpc ${fields.upstream} will not answer for the logs of block ${fields.block} alone: use one with higher limits`,
    );
    this.block = fields.block;
  }
}

/** `learned`: the widest range that the URL took before. */
export function startLogRange(width: number, learned: number | null = null): LogRange {
  const limit = Math.max(WIDEST, width);
  const cap = Math.min(limit, learned ?? limit);
  const patience = learned === null ? STEADY_ANSWERS : STEADY_ANSWERS_IF_LEARNED;
  return { width: Math.max(1, Math.min(width, cap)), cap, limit, steady: 0, patience };
}

/**
 * After an answer. Requests of an earlier width may still come in, so only one as wide as now may widen:
 * else several at once would multiply.
 */
export function afterLogs(state: LogRange, range: BlockRange, logs: number): LogRange {
  const blocks = width(range);
  const fitting = Math.max(1, Math.floor((blocks * MANY_LOGS) / logs));
  if (logs >= TELLING_LOGS && fitting < state.width) {
    return { ...state, width: fitting, steady: 0 };
  }
  if (logs >= FEW_LOGS || blocks < state.width) return state;
  if (state.width < state.cap) {
    return { ...state, width: Math.min(state.cap, Math.ceil(state.width * 1.5)) };
  }
  if (state.steady + 1 < state.patience) return { ...state, steady: state.steady + 1 };
  return { ...state, cap: Math.min(state.limit, Math.ceil(state.cap * 1.25)), steady: 0 };
}

/** After a refusal: the node's own suggestion, else half of what was asked. */
export function afterTooWide(state: LogRange, range: BlockRange, error: RangeTooWide): LogRange {
  const blocks = width(range);
  if (blocks <= 1) throw new BlockTooLarge({ upstream: error.upstream, block: range.fromBlock });
  const limit = Math.min(state.limit, error.maxBlocks ?? state.limit);
  const next =
    error.suggestedTo === null
      ? Math.floor(blocks / 2)
      : Math.min(blocks - 1, error.suggestedTo - range.fromBlock + 1);
  const cap = Math.min(state.cap, limit, Math.max(next, Math.floor(blocks * 0.75)));
  // Refused just above what was answered for long: the limit has not moved.
  const wasTry = state.steady === 0 && blocks > state.cap * 0.75 && state.cap < state.limit;
  const patience = wasTry ? Math.min(MOST_STEADY_ANSWERS, state.patience * 4) : state.patience;
  return { width: clamp(next, Math.min(state.width, cap)), cap, limit, steady: 0, patience };
}

/** After no answer in time: the range may be why, and narrower is worth a try. */
export function afterTimeout(state: LogRange, range: BlockRange): LogRange {
  return { ...state, width: clamp(Math.floor(width(range) / 2), state.width), steady: 0 };
}

function width(range: BlockRange): number {
  return range.toBlock - range.fromBlock + 1;
}

function clamp(blocks: number, most: number): number {
  return Math.max(1, Math.min(blocks, most));
}
