import { startOf } from '../format/time.ts';

export const RANGES = [
  ['7d', '7 d'],
  ['30d', '30 d'],
  ['90d', '90 d'],
  ['all', 'All'],
] as const;
export type Range = (typeof RANGES)[number][0];

export const INTERVALS = [
  ['auto', 'Auto'],
  ['raw', 'Every point'],
  ['hour', 'Hour'],
  ['day', 'Day'],
] as const;
export type Interval = (typeof INTERVALS)[number][0];

export function rangeName(range: Range): string {
  return RANGES.find(([one]) => one === range)![1];
}

const DAY = 86_400_000;
const DAYS: Record<Range, number> = { '7d': 7, '30d': 30, '90d': 90, all: 0 };

/** Returns query parameters for about as many data points as a chart has pixels. */
export function seriesQuery(range: Range, interval: Interval, now: number) {
  const asked =
    interval === 'auto' ? (range === '7d' || range === '30d' ? 'hour' : 'day') : interval;
  const step = asked === 'day' ? DAY : 3_600_000;
  return {
    interval: asked,
    limit: 5000,
    ...(range !== 'all' && { from: startOf(DAYS[range] * DAY, now, step) }),
  };
}
