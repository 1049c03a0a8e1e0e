import { toIso } from './time.ts';

/** A stretch of a chain that could not be read for a family in full, as far as texts need it. */
export interface GapFacts {
  readonly family: string;
  readonly chainId: number;
  /** What no RPC URL has: contract state, or the logs themselves. */
  readonly reason: 'state' | 'logs';
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Time of the block before the first, in Unix seconds. */
  readonly fromTime: number;
  readonly toTime: number;
  /** When the operator last requested to fill it; null: never. */
  readonly requestedAt?: number | null;
}

/** Returns what a gap lacks and what to do, for a reader who knows the family. */
export function gapReason(gap: GapFacts): string {
  const { chainId, requestedAt } = gap;
  const requested =
    requestedAt == null ? '' : ` A fill was requested on ${minuteOf(requestedAt)} UTC.`;
  const fill = 'The gap is then filled automatically.';
  if (gap.reason === 'logs') {
    return `Logs from ${span(gap)} are missing: no RPC URL of chain ${chainId} returned them, so nothing later is indexed. Add a URL with older logs to rpc of chain ${chainId}. ${fill}${requested}`;
  }
  return `Contract state from ${span(gap)} is missing: no RPC URL of chain ${chainId} returned it, so series lack points there and events are valued at the last known share price. Add an archive URL to rpc of chain ${chainId}. ${fill}${requested}`;
}

/** Names the family and chain too: for logs, readiness and diagnosis. */
export function gapText(gap: GapFacts): string {
  return `Gap in ${gap.family} on chain ${gap.chainId}: ${gapReason(gap)}`;
}

function span({ fromTime, toTime, fromBlock, toBlock }: GapFacts): string {
  return `${minuteOf(fromTime)} to ${minuteOf(toTime)} UTC (blocks ${fromBlock} to ${toBlock})`;
}

function minuteOf(at: number): string {
  return toIso(at).slice(0, 16).replace('T', ' ');
}
