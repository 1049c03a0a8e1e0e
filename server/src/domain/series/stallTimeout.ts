/** Chains with vaults never pause for this long, so after it either the chain has stalled or no indexer runs. */
const STALL_SECONDS = 300;
/** Allows for a long poll interval. */
const STALL_POLLS = 30;
/** An indexer reports a chain at its head at least once a minute. Twice that without a report means that none runs. */
const UNREPORTED_SECONDS = 120;
/** A pause of up to this many times the longest recent one is usual. */
const USUAL_FACTOR = 2;

/** Returns how long a chain may be without a new block before it counts as stalled, in seconds. */
export function stallTimeout(pollSeconds: number): number {
  return Math.max(STALL_SECONDS, STALL_POLLS * pollSeconds);
}

/** Returns the longest usual pause of a chain with rare blocks. `times`: of its newest blocks, ascending. */
export function usualPause(times: readonly number[]): number {
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  return USUAL_FACTOR * Math.max(0, ...gaps);
}

/** Returns how long a chain at its head may be without a report in the store, in seconds. */
export function reportTimeout(pollSeconds: number): number {
  return Math.max(UNREPORTED_SECONDS, STALL_POLLS * pollSeconds);
}
