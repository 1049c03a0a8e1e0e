/** While the feed reports changes, views are read again only this often without one: data points raise no event. */
const FOLLOWED_MS = 300_000;
/** Least time between two reads of a view that events cause. */
const GAP_MS = 10_000;
/** An event reaches all open pages at once; they do not all read at once. */
const SPREAD_MS = 1_000;

/** Returns how long to wait after a read that nothing prompts. */
export function usualWait(everyMs: number, isFollowed: boolean): number {
  return isFollowed ? Math.max(everyMs, FOLLOWED_MS) : everyMs;
}

/** Returns how long to wait after an event. `random` is from 0 to 1. */
export function waitAfterEvent(everyMs: number, sinceReadMs: number, random: number): number {
  const gap = Math.max(GAP_MS, everyMs / 4);
  return Math.max(gap - sinceReadMs, 0) + random * SPREAD_MS;
}
