import { type Interval, type Range, rangeName, seriesQuery } from './ranges.ts';

/** The range of a page's charts: a usual one, or days that the user chose. */
export interface ShownRange {
  readonly chosen: Range | 'custom';
  /** For keys and file names: 30d, or 2026-10-01-to-2026-10-15. */
  readonly key: string;
  /** For titles: 30 d, or 2026-10-01 to 2026-10-15. */
  readonly name: string;
  /** First and last day; undefined for the usual ranges. */
  readonly days: Days | undefined;
  query(interval: Interval, now: number): ReturnType<typeof seriesQuery> & { readonly to?: string };
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
/** Up to so many days, every hour is charted. */
const HOURLY_DAYS = 45;

export function isPeriod(from: string, to: string): boolean {
  if (!DAY.test(from) || !DAY.test(to)) return false;
  return Date.parse(from) <= Date.parse(to);
}

export function usualRange(range: Range): ShownRange {
  return {
    ...{ chosen: range, key: range, name: rangeName(range), days: undefined },
    query: (interval, now) => seriesQuery(range, interval, now),
  };
}

/** Both days are included, in UTC as in all series. */
export function customRange({ from, to }: Days): ShownRange {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return {
    chosen: 'custom',
    key: `${from}-to-${to}`,
    name: from === to ? from : `${from} to ${to}`,
    days: { from, to },
    query: (interval) => ({
      interval: interval === 'auto' ? (count <= HOURLY_DAYS ? 'hour' : 'day') : interval,
      limit: 5000,
      from: `${from}T00:00:00.000Z`,
      to: `${to}T23:59:59.000Z`,
    }),
  };
}
