/** One line of a chart: a value for each time, null where there is none. */
export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly format: (value: number) => string;
  /** Exact text of a value in the table; the formatted number unless told. */
  readonly exact?: (index: number) => string | null;
}

export interface Span {
  /** Unix seconds. */
  readonly min: number;
  readonly max: number;
}

/** Each line on top of those before it. Where one has no value, nothing is drawn from there on up. */
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

/** Several series over the times of all of them. */
export function align(
  series: readonly (readonly { readonly at: string; readonly value: number | null }[])[],
): { readonly times: number[]; readonly values: (number | null)[][] } {
  const maps = series.map(
    (ticks) => new Map(ticks.map(({ at, value }) => [Math.floor(Date.parse(at) / 1000), value])),
  );
  const times = [...new Set(maps.flatMap((map) => [...map.keys()]))].sort((a, b) => a - b);
  return { times, values: maps.map((map) => times.map((time) => map.get(time) ?? null)) };
}

/** Rebased to 100 at the first value. */
export function rebase(values: readonly (number | null)[]): (number | null)[] {
  const first = values.find((value) => value !== null && value > 0) ?? null;
  return values.map((value) => (value === null || first === null ? null : (value / first) * 100));
}
