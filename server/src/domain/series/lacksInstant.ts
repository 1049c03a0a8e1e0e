import { bucketOf, type Seconds } from '../time.ts';

/** Whether a grid of this interval has an instant in a gap, after the newest data point that is there. */
export function lacksInstant(
  gap: { readonly fromTime: Seconds; readonly toTime: Seconds },
  newest: Seconds,
  interval: number,
): boolean {
  return bucketOf(gap.toTime, interval) > Math.max(gap.fromTime, newest);
}
