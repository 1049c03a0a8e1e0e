/** A measured backfill. */
export interface Run {
  /** From the program's first sign of work until everything is indexed. Ratios use this value. */
  readonly workMs: number;
  /** Time from its first RPC request. */
  readonly fromFirstRequestMs: number;
  /** Time from the start of its process. */
  readonly totalMs: number;
  readonly requests: number;
  readonly cpuMs: number | null;
  readonly peakMb: number | null;
}
