import { plainNumber } from '../format/amount.ts';

/** What the value axis counts in. Its unit is shown once, above the axis. */
export interface AxisUnit {
  readonly unit: string;
  /** Multiplies the values: 100 for a fraction that is shown in percent. */
  readonly factor?: number;
}

const SIZES = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;
const MAX_DIGITS = 8;

/** Labels the marks of an axis in one size, with as many digits as distinguish them. */
export function axisTexts(ticks: readonly number[], { factor = 1 }: AxisUnit): string[] {
  const values = ticks.map((tick) => tick * factor);
  const largest = Math.max(0, ...values.map(Math.abs));
  const [size, suffix] = SIZES.find(([size]) => largest >= size * 1.5) ?? [1, ''];
  const step = Math.abs((values[1] ?? 0) - (values[0] ?? 0)) / size;
  const digits = step === 0 ? 2 : digitsOf(step);
  return values.map((value) => (value === 0 ? '0' : plainNumber(value / size, digits) + suffix));
}

/** Returns how many decimals a step needs: 0.25 needs two. */
function digitsOf(step: number): number {
  for (let digits = 0; digits < MAX_DIGITS; digits++) {
    const scaled = step * 10 ** digits;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
  }
  return MAX_DIGITS;
}

/** Returns about `count` round marks from `min` to `max`. */
export function axisTicks(min: number, max: number, count: number): number[] {
  if (!(max > min)) return [min];
  const rough = (max - min) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((one) => one * power >= rough) ?? 10);
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** A stack starts at zero. A line has padding, and a flat line is centered. */
export function valueRange(
  min: number | null,
  max: number | null,
  isStacked: boolean,
): [min: number, max: number] {
  if (min === null || max === null) return [0, 1];
  if (isStacked) {
    return [Math.min(0, min * 1.04), max > 0 ? max * 1.04 : min < 0 ? 0 : 1];
  }
  const air = max > min ? (max - min) * 0.08 : Math.abs(max) * 0.01 || 1;
  return [min >= 0 && min - air < 0 ? 0 : min - air, max + air];
}
