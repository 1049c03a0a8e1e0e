/**
 * A chain that is followed is written of every minute or so, and those that vaults live on never pause for so long:
 * after it the chain stands still, or no indexer runs.
 */
const SILENT_SECONDS = 300;
/** Whoever looks rarely is not silent yet. */
const SILENT_POLLS = 30;
/** An indexer reports a chain at its head at least once a minute. After twice that without a report, none follows it. */
const UNFOLLOWED_SECONDS = 120;
/** A pause is natural to a chain that paused half as long among its newest blocks. */
const NATURAL = 2;

/** How long a chain may show nothing new before something is wrong, in seconds. */
export function stallTimeout(pollSeconds: number): number {
  return Math.max(SILENT_SECONDS, SILENT_POLLS * pollSeconds);
}

/** The same for a chain with rare blocks, from the times of its newest ones in ascending order. */
export function usualPause(times: readonly number[]): number {
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  return NATURAL * Math.max(0, ...gaps);
}

/** How long the store may say nothing new of a chain that is followed at its head, in seconds. */
export function reportTimeout(pollSeconds: number): number {
  return Math.max(UNFOLLOWED_SECONDS, SILENT_POLLS * pollSeconds);
}
