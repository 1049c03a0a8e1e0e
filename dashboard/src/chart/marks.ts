import type { Span } from './line.ts';

/** An event that explains a chart: a moment, or a period with `to`. */
export interface Mark {
  readonly kind: 'reorg' | 'gap' | 'governance';
  /** Unix seconds. */
  readonly at: number;
  readonly to?: number;
  readonly text: string;
  readonly transactionHash?: string | null;
}

/** The letter over a mark, so that its meaning does not depend on color. */
export const MARK_LETTERS = { reorg: 'R', gap: '', governance: 'G' } as const;

export function marksIn(marks: readonly Mark[], { min, max }: Span): readonly Mark[] {
  return marks.filter(({ at, to = at }) => to >= min && at <= max);
}

/** Returns the marks at a time, within `near` seconds of it. */
export function marksAt(marks: readonly Mark[], time: number, near: number): readonly Mark[] {
  return marks.filter(({ at, to = at }) => time >= at - near && time <= to + near);
}

/** Least number of missing data points that is a gap. */
const MISSING = 3;

/** Finds periods without data: much longer than the usual step between data points. */
export function gapsOf(times: readonly number[]): Mark[] {
  const steps = times.slice(1).map((time, index) => time - times[index]!);
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)];
  if (usual === undefined) return [];
  return steps.flatMap((step, index): Mark[] =>
    step > usual * MISSING
      ? [{ kind: 'gap', at: times[index]!, to: times[index + 1]!, text: 'No data points' }]
      : [],
  );
}
