/** Values from `base` on, a label at each step. */
export interface Scale {
  readonly base: number;
  readonly step: number;
  readonly steps: number;
}

const STEPS = [1, 2, 2.5, 5];

/** Returns the smallest round step that covers all values in at most `most` steps. */
export function createScale(lowest: number, highest: number, most: number): Scale {
  if (lowest === highest) {
    // A flat line is drawn in the middle, with steps of a thousandth.
    const step = roundUp(Math.abs(highest) / 1_000 || 1);
    return { base: Math.round(highest / step - 2) * step, step, steps: 4 };
  }
  for (let step = roundUp((highest - lowest) / most); ; step = roundUp(step * 1.01)) {
    const base = Math.floor(lowest / step) * step;
    // Ignore the rounding error of floating-point numbers.
    const steps = Math.ceil((highest - base) / step - 1e-9);
    if (steps <= most) return { base, step, steps };
  }
}

/** Returns how many decimals distinguish one step from the next. */
export function digitsOf(step: number): number {
  for (let digits = 0; digits < 18; digits++) {
    const scaled = step * 10 ** digits;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
  }
  return 18;
}

/** To the next of 1, 2, 2.5, 5, 10, 20… */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const found = STEPS.find((step) => step * power >= value * (1 - 1e-9));
  return found === undefined ? 10 * power : found * power;
}
