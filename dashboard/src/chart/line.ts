import type { AxisUnit } from './axis.ts';

/** A line of a chart: one value per time, null if missing. */
export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly format: (value: number) => string;
  /** What the value axis counts in. Default: a number without a unit. */
  readonly axis?: AxisUnit;
  /** Exact text of a value in the table. Default: the formatted number. */
  readonly exact?: (index: number) => string | null;
}

export interface Span {
  /** Unix seconds. */
  readonly min: number;
  readonly max: number;
}

/** Returns the data points within the zoomed range. */
export function inSpan<T extends { readonly at: string }>(
  ticks: readonly T[],
  span: Span | undefined,
): readonly T[] {
  if (span === undefined) return ticks;
  return ticks.filter(({ at }) => {
    const time = Math.floor(Date.parse(at) / 1000);
    return time >= span.min && time <= span.max;
  });
}

/** Returns a file name suffix such as -2026-01-01T00-00-to-2026-01-08T00-00; empty without a zoom. */
export function spanName(span: Span | undefined): string {
  if (span === undefined) return '';
  const text = (time: number) => new Date(time * 1000).toISOString().slice(0, 16).replace(':', '-');
  return `-${text(span.min)}-to-${text(span.max)}`;
}

/** Stacks the lines. A missing value leaves a gap in its line and in all lines above it. */
export function stack(lines: readonly Line[]): (number | null)[][] {
  let below: readonly (number | null)[] = lines[0]?.values.map(() => 0) ?? [];
  return lines.map(({ values }) => {
    const sums = values.map((value, index) => {
      const base = below[index] ?? null;
      return value === null || base === null ? null : base + value;
    });
    below = sums;
    return sums;
  });
}

/** Aligns several series on the times of all of them. */
export function align(
  series: readonly (readonly { readonly at: string; readonly value: number | null }[])[],
): { readonly times: number[]; readonly values: (number | null)[][] } {
  const maps = series.map(
    (ticks) => new Map(ticks.map(({ at, value }) => [Math.floor(Date.parse(at) / 1000), value])),
  );
  const times = [...new Set(maps.flatMap((map) => [...map.keys()]))].sort((a, b) => a - b);
  return { times, values: maps.map((map) => times.map((time) => map.get(time) ?? null)) };
}

/** Rebases a series to 100 at its first value. */
export function rebase(values: readonly (number | null)[]): (number | null)[] {
  const first = values.find((value) => value !== null && value > 0) ?? null;
  return values.map((value) => (value === null || first === null ? null : (value / first) * 100));
}
