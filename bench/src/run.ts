/** One measured backfill. */
export interface Run {
  /** From the side's own first sign of work until everything is indexed; the figure that ratios are made of. */
  readonly workMs: number;
  /** From its first RPC request. */
  readonly fromFirstRequestMs: number;
  /** From the start of its process. */
  readonly totalMs: number;
  readonly requests: number;
  readonly cpuMs: number | null;
  readonly peakMb: number | null;
}
