import { momentText } from '../format/time.ts';
import type { Line } from './line.ts';

interface Drawn {
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
}

/** Describes the values at one time for screen readers. */
export function valueText({ times, lines }: Drawn, index: number): string {
  const time = times[index];
  if (time === undefined) return '';
  const values = lines.map((line) => {
    const value = line.values[index] ?? null;
    return `${line.label} ${value === null ? 'unknown' : line.format(value)}`;
  });
  return `${momentText(time * 1000)}: ${values.join(', ')}.`;
}

/** Summarizes a chart for screen readers. */
export function summaryOf({ times, lines }: Drawn): string {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return '';
  const parts = lines.flatMap(({ label, values, format }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return `${label} is unknown.`;
    let [low, high] = [known[0]!, known[0]!];
    for (const value of known) [low, high] = [Math.min(low, value), Math.max(high, value)];
    const ends = `from ${format(known[0]!)} to ${format(known.at(-1)!)}`;
    return `${label} went ${ends}, lowest ${format(low)}, highest ${format(high)}.`;
  });
  return `${momentText(first * 1000)} to ${momentText(last * 1000)}. ${parts.join(' ')}`;
}
