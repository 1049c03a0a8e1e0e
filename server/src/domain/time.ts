/** Unix seconds, UTC. */
export type Seconds = number;

export const HOUR = 3600;
export const DAY = 86_400;
export const YEAR = 365 * DAY;
/** Later than every tick, and still a safe integer after adding a day. */
export const END_OF_TIME = 2 ** 52;

/** The multiples of `interval` in (after, until]. */
export function gridBetween(after: Seconds, until: Seconds, interval: number): Seconds[] {
  const instants: Seconds[] = [];
  for (let at = (Math.floor(after / interval) + 1) * interval; at <= until; at += interval) {
    instants.push(at);
  }
  return instants;
}

/** Start of the bucket of `span` seconds that holds `at`. */
export function bucketOf(at: Seconds, span: number): Seconds {
  return at - (at % span);
}

export function toIso(at: Seconds): string {
  return new Date(at * 1000).toISOString();
}
