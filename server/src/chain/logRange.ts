import type { BlockRange } from './rangeWording.ts';
import { type RangeTooWide, RpcError } from './rpcError.ts';

/** How many blocks to request at once; each response adapts it. */
export interface LogRange {
  readonly width: number;
  /** The current maximum: a wider range was rejected recently. */
  readonly cap: number;
  /** The absolute maximum: the default, or the limit in blocks that the RPC endpoint named. */
  readonly limit: number;
  /** Responses in a row at the cap. */
  readonly steady: number;
  /** How many of them are needed before a wider range is tried; more after each failed try. */
  readonly steadyNeeded: number;
  /** The narrowest range that timed out since the last response that was as wide; null if none did. */
  readonly timedOut: number | null;
  /** False while only a timeout shows the cap, which the load may have caused: nothing wider has failed since. */
  readonly proven: boolean;
}

/** Large enough to be worth a request and a commit, small enough to parse and write without a pause. */
const FEW_LOGS = 3_000;
const MANY_LOGS = 5_000;
/** How many logs are enough to estimate their density. */
const TELLING_LOGS = 500;
export const WIDEST = 100_000;
/** Tries above the cap fail if the limit is fixed: at first, one in this many responses. */
const STEADY_ANSWERS = 16;
const STEADY_ANSWERS_IF_LEARNED = 1_024;
const MAX_STEADY_ANSWERS = 16_384;

/** One block alone exceeds the limits of the RPC endpoint: only another one can help. */
export class BlockTooLarge extends RpcError {
  readonly retry = false;
  readonly block: number;

  constructor(fields: { upstream: number; block: number }) {
    super(
      fields.upstream,
      `rpc ${fields.upstream} rejected the logs of block ${fields.block} alone as too many: use an RPC URL with higher limits`,
    );
    this.block = fields.block;
  }
}

/** `learned`: the widest range that the URL accepted before. */
export function startLogRange(width: number, learned: number | null = null): LogRange {
  const limit = Math.max(WIDEST, width);
  const cap = Math.min(limit, learned ?? limit);
  const steadyNeeded = learned === null ? STEADY_ANSWERS : STEADY_ANSWERS_IF_LEARNED;
  return {
    width: Math.max(1, Math.min(width, cap)),
    // A learned cap is no try of a wider range.
    ...{ cap, limit, steady: learned === null ? 0 : 1, steadyNeeded, timedOut: null, proven: true },
  };
}

/**
 * Adapts after a response. Requests of an earlier width may still arrive, so only one of the current width may widen:
 * otherwise several at once would multiply.
 */
export function afterLogs(before: LogRange, range: BlockRange, logs: number): LogRange {
  const blocks = width(range);
  const state = afterNarrowed(before, blocks);
  const fitting = Math.max(1, Math.floor((blocks * MANY_LOGS) / logs));
  if (logs >= TELLING_LOGS && fitting < state.width) {
    return { ...state, width: fitting, steady: 0 };
  }
  if (logs >= FEW_LOGS || blocks < state.width) return state;
  if (state.width < state.cap) {
    return { ...state, width: Math.min(state.cap, Math.ceil(state.width * 1.5)) };
  }
  if (state.steady + 1 < state.steadyNeeded) return { ...state, steady: state.steady + 1 };
  return { ...state, cap: Math.min(state.limit, Math.ceil(state.cap * 1.25)), steady: 0 };
}

/** A response to a narrower range than one that timed out shows that the width was the reason. */
function afterNarrowed(state: LogRange, blocks: number): LogRange {
  const { timedOut } = state;
  if (timedOut === null) return state;
  if (blocks >= timedOut) return { ...state, timedOut: null };
  const cap = Math.min(state.cap, Math.max(blocks, Math.floor(timedOut * 0.75)));
  return { ...state, width: Math.min(state.width, cap), cap, steady: 1, timedOut: null };
}

/** Adapts after a rejection: uses the suggestion of the RPC endpoint, else half of the range. */
export function afterTooWide(state: LogRange, range: BlockRange, error: RangeTooWide): LogRange {
  const blocks = width(range);
  if (blocks <= 1) throw new BlockTooLarge({ upstream: error.upstream, block: range.fromBlock });
  const limit = Math.min(state.limit, error.maxBlocks ?? state.limit);
  const next =
    error.suggestedTo === null
      ? Math.floor(blocks / 2)
      : Math.min(blocks - 1, error.suggestedTo - range.fromBlock + 1);
  const cap = Math.min(state.cap, limit, Math.max(next, Math.floor(blocks * 0.75)));
  const steadyNeeded = wasTry(state, blocks) ? moreSteady(state) : state.steadyNeeded;
  return {
    ...{ ...state, cap, limit, steady: 0, steadyNeeded, proven: true },
    width: clamp(next, Math.min(state.width, cap)),
  };
}

/**
 * Adapts after a timeout: the range may be the reason, so a narrower one is tried. Unless a wider range was just tried,
 * the load may be the reason, so the known limit is soon tried again.
 */
export function afterTimeout(state: LogRange, range: BlockRange): LogRange {
  const blocks = width(range);
  const next = clamp(Math.floor(blocks / 2), state.width);
  // Of the ranges in flight that time out together, the first counts.
  if (state.timedOut !== null) {
    return { ...state, width: next, timedOut: Math.min(blocks, state.timedOut) };
  }
  const proven = wasTry(state, blocks);
  const steadyNeeded = proven ? moreSteady(state) : Math.min(state.steadyNeeded, STEADY_ANSWERS);
  return { ...state, width: next, steady: 1, steadyNeeded, timedOut: blocks, proven };
}

/** Whether the range was just above what was accepted for long: the limit has not changed. */
function wasTry({ steady, cap, limit }: LogRange, blocks: number): boolean {
  return steady === 0 && blocks > cap * 0.75 && cap < limit;
}

function moreSteady({ steadyNeeded }: LogRange): number {
  return Math.min(MAX_STEADY_ANSWERS, steadyNeeded * 4);
}

function width(range: BlockRange): number {
  return range.toBlock - range.fromBlock + 1;
}

function clamp(blocks: number, most: number): number {
  return Math.max(1, Math.min(blocks, most));
}
