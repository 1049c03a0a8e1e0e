import { getApySeries, getSharePriceSeries } from '@assay/client';
import { rebase } from '../chart/line.ts';
import { client } from '../state/api.ts';

/** What a family is compared with: another family, or a yearly rate. */
export type Benchmark =
  | { readonly type: 'family'; readonly slug: string }
  | { readonly type: 'rate'; readonly percent: number };

const MAX_RATE = 1000;
const YEAR_SECONDS = 31_536_000;

/** Reads a benchmark such as svceth or 4.5% from the URL. */
export function readBenchmark(text: string, slugs: readonly string[]): Benchmark | undefined {
  const rate = /^(\d{1,4}(?:\.\d{1,2})?)%$/.exec(text);
  if (rate && Number(rate[1]) <= MAX_RATE) return { type: 'rate', percent: Number(rate[1]) };
  return slugs.includes(text) ? { type: 'family', slug: text } : undefined;
}

export function benchmarkText(benchmark: Benchmark): string {
  return benchmark.type === 'rate' ? `${benchmark.percent}% per year` : benchmark.slug;
}

export interface BenchmarkAsked {
  readonly benchmark: Benchmark;
  readonly measure: 'apy' | 'price';
  /** Unix seconds of the family's data points. */
  readonly times: readonly number[];
  readonly query: { readonly from?: string; readonly to?: string; readonly limit: number };
  readonly signal: AbortSignal;
}

/** Returns the benchmark at the times of the family: a yearly rate as a fraction, or growth from 100. */
export async function readBenchmarkValues(asked: BenchmarkAsked): Promise<(number | null)[]> {
  const { benchmark, measure, times, query, signal } = asked;
  if (benchmark.type === 'rate') {
    return measure === 'apy'
      ? times.map(() => benchmark.percent / 100)
      : growthOf(benchmark.percent / 100, times);
  }
  const { slug } = benchmark;
  if (measure === 'apy') {
    return atTimes(await getApySeries(client, { slug, ...query, signal }), times);
  }
  const prices = await getSharePriceSeries(client, { slug, ...query, signal });
  return rebase(
    atTimes(
      prices.map(({ at, value }) => ({ at, value: Number(value) })),
      times,
    ),
  );
}

/** Grows 100 at a yearly rate, compounded continuously in proportion to time. */
export function growthOf(rate: number, times: readonly number[]): number[] {
  return times.map((time) => 100 * (1 + rate) ** ((time - times[0]!) / YEAR_SECONDS));
}

/** Returns the last value at or before each time; null before the first. */
export function atTimes(
  ticks: readonly { readonly at: string; readonly value: number | null }[],
  times: readonly number[],
): (number | null)[] {
  let next = 0;
  let value: number | null = null;
  return times.map((time) => {
    while (next < ticks.length && Date.parse(ticks[next]!.at) / 1000 <= time) {
      value = ticks[next]!.value;
      next++;
    }
    return value;
  });
}
