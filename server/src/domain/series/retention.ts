import { bucketOf, DAY, type Seconds } from '../time.ts';

/** How long ticks are kept in full, and one per hour; after that, one per day. Seconds. */
export interface Retention {
  readonly raw: number;
  /** Absent: one per hour forever. */
  readonly hour?: number;
}

/** Snapshots look back 30 days, and a tick that is made again 31: nothing of that is ever thinned. */
export const MIN_RAW_DAYS = 35;

const DURATION = /^([1-9][0-9]{0,4})(d|y)$/;

/** `90d`, `2y` in seconds; a year has 365 days. Undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count === undefined) return undefined;
  return Number(count) * (unit === 'y' ? 365 : 1) * DAY;
}

/** Whole UTC days before these are thinned to hours and to days, where everything is known up to `known`. */
export function thinnedBefore(
  { raw, hour }: Retention,
  known: Seconds,
): { readonly hourly: Seconds; readonly daily: Seconds } {
  const before = (age: number) => bucketOf(Math.max(0, known - age), DAY);
  return { hourly: before(raw), daily: hour === undefined ? 0 : before(hour) };
}
