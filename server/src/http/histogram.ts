import type { Registry } from 'prom-client';

export interface HistogramSeries {
  readonly labels: Readonly<Record<string, string>>;
  /** Per bucket, not cumulative; the last is above every bound. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** A histogram that another part of the server maintains; read at each scrape. */
export interface HistogramSource {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, ascending. */
  readonly bounds: readonly number[];
  read(): readonly HistogramSeries[];
}

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Registers the source directly: the library's own histogram can only observe values one by one. */
export function addHistogram(source: HistogramSource, register: Registry): void {
  const { name, help } = source;
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ name, help, type: 'histogram', values: source.read().flatMap(samples) }),
    reset: () => {},
  };
  register.registerMetric(metric as unknown as Parameters<Registry['registerMetric']>[0]);

  function samples({ labels, counts, sum }: HistogramSeries): Sample[] {
    let total = 0;
    const buckets = counts.map((count, i) => {
      total += count;
      const le = source.bounds[i] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }
}
