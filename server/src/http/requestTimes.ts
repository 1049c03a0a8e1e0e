import type { HistogramSeries } from './histogram.ts';

/** `aborted`: the client closed the connection before the response was sent in full. */
const STATUSES = ['2xx', '3xx', '4xx', '5xx', 'aborted'] as const;
export type StatusClass = (typeof STATUSES)[number];

/** Upper bounds in seconds: from cached responses to clients that give up. */
export const REQUEST_BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5] as const;

/** Route label of requests that match no route. Paths never become labels: clients choose them. */
const UNMATCHED = 'unmatched';

/** Durations of requests by route and status class. */
export interface RequestTimes {
  add(route: string | undefined, status: StatusClass, seconds: number): void;
  read(): HistogramSeries[];
  /** Responses by status class, without those to probes: these are frequent, and a 503 there is not an error. */
  responses(): { readonly status: StatusClass; readonly value: number }[];
}

interface Times {
  readonly counts: number[];
  sum: number;
}

/** Plain arrays: a histogram of the metrics library costs 15 times as much per request. */
export function createRequestTimes(): RequestTimes {
  const byRoute = new Map<string, Map<StatusClass, Times>>();

  function timesOf(route: string, status: StatusClass): Times {
    let byStatus = byRoute.get(route);
    if (byStatus === undefined) {
      byStatus = new Map();
      byRoute.set(route, byStatus);
    }
    let times = byStatus.get(status);
    if (times === undefined) {
      times = { counts: new Array(REQUEST_BOUNDS.length + 1).fill(0), sum: 0 };
      byStatus.set(status, times);
    }
    return times;
  }

  return {
    add(route = UNMATCHED, status, seconds) {
      const times = timesOf(route, status);
      let bucket = 0;
      while (seconds > REQUEST_BOUNDS[bucket]!) bucket++;
      times.counts[bucket]!++;
      times.sum += seconds;
    },
    read: () =>
      [...byRoute].flatMap(([route, byStatus]) =>
        [...byStatus].map(([status, { counts, sum }]) => ({
          labels: { route, status },
          counts: [...counts],
          sum,
        })),
      ),
    responses() {
      const totals = new Map<StatusClass, number>(
        STATUSES.filter((status) => status !== 'aborted').map((status) => [status, 0]),
      );
      for (const [route, byStatus] of byRoute) {
        if (route.startsWith('/health/')) continue;
        for (const [status, { counts }] of byStatus) {
          const before = totals.get(status);
          if (before !== undefined) totals.set(status, before + sumOf(counts));
        }
      }
      return [...totals].map(([status, value]) => ({ status, value }));
    },
  };
}

export function statusClass(status: number): StatusClass {
  return STATUSES[Math.min(Math.max(Math.floor(status / 100), 2), 5) - 2]!;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
